import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Analysis } from '#models/rules/analysis.ts'
import { signatureSide } from '#models/rules/liveness/scene-signature.ts'
import { createFilmMemory, type FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { createPictureMemory, type PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { openRedisStore, type RedisStore } from '#server/platform/store/drivers/redis.ts'
import { pointAt } from '../support/drawn/film.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'

const created = Date.now()

/** One scene that is photographed or encoded again each time, so that no two pictures have the same bytes. */
let shots = 0
function shot(scene: number): [Uint8Array, Analysis] {
  const sceneSignature = Float32Array.from(
    { length: signatureSide ** 2 },
    (_, i) => 128 + 60 * Math.sin(i * (1 + scene / 7)) + 0.01 * Math.sin(i + ++shots),
  )
  return [Buffer.from(`picture ${++shots}`), { sceneSignature } as unknown as Analysis]
}

describe.skipIf(!hasRedisServer)(`two memories of pictures on one Redis server${needsRedisServer}`, () => {
  let redis: RedisServer
  let stores: RedisStore[]
  let memories: PictureMemory[]
  let films: FilmMemory[]
  beforeAll(async () => {
    redis = await startRedisServer()
    const open = () => openRedisStore(redis.address, { tag: 'EU', onFailure: () => undefined })
    stores = await Promise.all([open(), open()])
    const keyRing = createKeyRing(Buffer.alloc(32, 3), 'EU')
    memories = stores.map((store) => createPictureMemory(store, keyRing, Date.now))
    films = stores.map((store) => createFilmMemory(store, keyRing, Date.now))
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await redis.stop()
  })

  const ask = (memory: number, sessionId: string, scene: number) =>
    memories[memory]!.findReuse({ sessionId, created }, ...shot(scene))

  test('recognise a picture that the other one received, even re-encoded', async () => {
    expect(await ask(0, 'a', 1)).toBe('none')
    expect(await ask(1, 'b', 1)).toBe('same')
    expect(await ask(1, 'b', 2)).toBe('none')
    expect(await ask(0, 'c', 2)).toBe('same')
  })

  test('let one session have a picture that arrives at both at once', async () => {
    for (let scene = 10; scene < 60; scene++) {
      const found = await Promise.all([ask(0, 'd', scene), ask(1, 'e', scene), ask(0, 'f', scene)])
      expect(found.sort()).toEqual(['none', 'same', 'same'])
    }
  })

  test('lose none of many that arrive at both at once', async () => {
    const scenes = Array.from({ length: 40 }, (_, i) => 100 + i)
    await Promise.all(scenes.map((scene, i) => ask(i % 2, 'g', scene)))
    const again = await Promise.all(scenes.map((scene, i) => ask((i + 1) % 2, 'h', scene)))
    expect(new Set(again)).toEqual(new Set(['same']))
  })

  test('let one session have a film that arrives at both at once, and know it until it is erased', async () => {
    const film = Array.from({ length: 30 }, (_, i) => ({ ...pointAt(i * 166), digest: `picture ${i}` }))
    const known = async (memory: number, sessionId: string) => {
      const guard = { key: `session/${sessionId}`, value: undefined }
      const seen = await films[memory]!.compare(
        { value: { accountId: 'shop', sessionId, created, tries: 0 }, guard },
        film,
      )
      return [...new Set(seen.map(({ isKnown }) => isKnown))]
    }
    const found = await Promise.all([known(0, 'j'), known(1, 'k'), known(0, 'l')])
    expect(found.sort()).toEqual([[false], [true], [true]])
    expect(await known(1, 'm')).toEqual([true])
    await films[0]!.forget(['j', 'k', 'l'])
    expect(await known(1, 'm')).toEqual([false])
  })

  test('forget what the other one erased', async () => {
    await ask(0, 'erased', 200)
    await memories[0]!.forget(['erased'])
    expect(await ask(1, 'i', 200)).toBe('none')
  })
})
