import { describe, expect, test } from 'vitest'
import { createFilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { packMotion } from '#server/features/sessions/pictures/film-motion.ts'
import { sketchedPictures } from '#server/features/sessions/pictures/film-sketch.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { pointAt } from '../../../../support/drawn/film.ts'
import { motionOf, movingFilm } from '../../../../support/drawn/moving-film.ts'

const week = 7 * 24 * 3600_000
const begun = Date.UTC(2026, 0, 2)
/** A session as it would be in the store, although it was never written. */
const of = (sessionId: string, tries = 0, created = begun) => ({
  value: { accountId: 'shop', sessionId, created, tries },
  guard: { key: `session/${sessionId}`, value: undefined },
})
const film = (name: string, count = 20) =>
  Array.from({ length: count }, (_, i) => ({ ...pointAt(i * 166), digest: `${name} ${i}` }))

function start(secret = 3) {
  let time = begun
  const now = () => time
  const store = createMemoryStore(now)
  const create = (on: Store = store) =>
    createFilmMemory(on, createKeyRing(Buffer.alloc(32, secret), 'EU'), now)
  async function contents() {
    const lines: string[] = []
    for await (const { key, value } of store.list('')) lines.push(`${key} ${Buffer.from(value)}`)
    return lines
  }
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  const memory = create()
  /** How many pictures in a film are already known. */
  const knownOf = async (...given: Parameters<typeof memory.compare>) =>
    (await memory.compare(...given)).filter(({ isKnown }) => isKnown).length
  return { store, create, memory, knownOf, contents, pass }
}

describe('the memory of films', () => {
  test('reports for each picture whether it came with another session, in any order and in the middle of another film', async () => {
    const { memory, knownOf } = start()
    const [one, other] = [film('one'), film('other')]
    expect(await memory.compare(of('a'), one)).toEqual(one.map((point) => ({ ...point, isKnown: false })))
    expect(await knownOf(of('b'), other)).toBe(0)
    expect(await knownOf(of('c'), one.toReversed())).toBe(20)
    const both = [...film('new'), ...one, ...other]
    expect((await memory.compare(of('d'), both)).map(({ isKnown }) => isKnown)).toEqual([
      ...Array(20).fill(false),
      ...Array(40).fill(true),
    ])
    expect(await knownOf(of('e'), film('new'))).toBe(20)
  })

  test('ignores earlier pictures of the same try, and writes them once', async () => {
    const { knownOf, contents } = start()
    expect(await knownOf(of('a'), film('one'))).toBe(0)
    const before = await contents()
    expect(before).toHaveLength(3)
    expect(await knownOf(of('a'), film('one'))).toBe(0)
    expect(await contents()).toEqual(before)
  })

  test('gives the same try the same answer, however much of it is known', async () => {
    const { memory, knownOf } = start()
    await knownOf(of('a'), film('one'))
    const most = [...film('one', 18), ...film('two', 2)]
    const first = await memory.compare(of('b'), most)
    expect(first.filter(({ isKnown }) => isKnown)).toHaveLength(18)
    expect(await memory.compare(of('b'), most)).toEqual(first)
    expect(await knownOf(of('b'), film('one'))).toBe(20)
  })

  test('recognises pictures of another try of the session', async () => {
    const { knownOf } = start()
    await knownOf(of('a', 0), film('one'))
    expect(await knownOf(of('a', 1), film('one'))).toBe(20)
    expect(await knownOf(of('a', 1), film('two'))).toBe(0)
    expect(await knownOf(of('a', 2), film('two'))).toBe(20)
  })

  test('finds most of a partly repeated film', async () => {
    const { knownOf } = start()
    let found = 0
    for (let i = 0; i < 40; i++) {
      await knownOf(of(`whole ${i}`), film(`film ${i}`, 100))
      const part = film(`film ${i}`, 100).slice(20)
      if ((await knownOf(of(`part ${i}`), part)) === 80) found++
    }
    expect(found).toBeGreaterThanOrEqual(36)
  })

  test('ignores pictures without a digest, and stores nothing of an empty film', async () => {
    const { memory, contents } = start()
    const dark = [pointAt(0, { faceless: true }), pointAt(166, { faceless: true })]
    expect(await memory.compare(of('a'), dark)).toEqual(dark)
    expect(await memory.compare(of('a'), [])).toEqual([])
    expect(await contents()).toEqual([])
  })

  test('lets one session have a film that comes with several at once, in any processes', async () => {
    const { create } = start()
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((session) => create().compare(of(session), film('one'))),
    )
    const known = all.map((seen) => seen.filter(({ isKnown }) => isKnown).length)
    expect(known.sort()).toEqual([0, 20, 20, 20])
  })

  test('remembers nothing of a session that was changed or erased meanwhile', async () => {
    const { memory, store, contents } = start()
    await store.put('session/a', Buffer.from('changed'))
    const before = await contents()
    const seen = await memory.compare(of('a'), film('one'))
    expect(seen.every(({ isKnown }) => isKnown === false)).toBe(true)
    expect(await contents()).toEqual(before)
  })

  test('forgets the films of a session, and no others', async () => {
    const { memory, knownOf, contents } = start()
    await knownOf(of('a', 0), film('one'))
    await knownOf(of('a', 1), film('two'))
    await knownOf(of('kept'), [...film('three'), ...film('one')])
    await memory.forget(['a', 'unknown'])
    expect((await contents()).join('\n')).not.toContain('"a"')
    expect(await knownOf(of('b'), film('two'))).toBe(0)
    expect(await knownOf(of('c'), film('three'))).toBe(20)
    await memory.forget(['b', 'c', 'kept'])
    expect(await contents()).toEqual([])
  })

  test.each([
    [week - 1, 20],
    [week, 0],
  ])('after %i ms knows %i pictures of it', async (milliseconds, known) => {
    const { knownOf, pass } = start()
    await knownOf(of('a'), film('one'))
    pass(milliseconds)
    expect(await knownOf(of('b', 0, begun + milliseconds), film('one'))).toBe(known)
  })

  test('stores no digest, only hashes under the key of the deployment', async () => {
    const kept = async (secret: number) => {
      const { knownOf, contents } = start(secret)
      await knownOf(of('a'), [{ ...pointAt(0), digest: 'face' }])
      return (await contents()).join('\n')
    }
    expect(await kept(3)).toBe(await kept(3))
    expect(await kept(3)).not.toBe(await kept(4))
    expect(await kept(3)).not.toContain('face')
  })
})

describe('a re-encoded film', () => {
  const pictures = 90
  const encodings = [
    ['as it was', {}],
    ['with noise', { noise: 1 }],
    ['brighter, with noise', { gain: 1.03, noise: 0.5 }],
    ['darker', { gain: 0.97 }],
  ] as const

  test.each(encodings)('is known %s, whatever films came between', async (_name, encoding) => {
    const { memory, knownOf } = start()
    const motion = motionOf(1, pictures)
    expect(await knownOf(of('a'), movingFilm(memory.sketch, motion))).toBe(0)
    for (const other of [2, 3])
      expect(await knownOf(of(`other ${other}`), movingFilm(memory.sketch, motionOf(other, pictures)))).toBe(
        0,
      )
    const again = movingFilm(memory.sketch, motion, encoding)
    expect(await knownOf(of('b'), again)).toBe(pictures)
    // Later according to the device, as if its camera had started earlier.
    const later = again.map((point) => ({ ...point, time: point.time + 70_000 }))
    expect(await knownOf(of('c'), later)).toBe(pictures)
  })

  test('is recognised in the middle of another one that is no longer known', async () => {
    const { memory, knownOf } = start()
    const motion = motionOf(1, pictures)
    await knownOf(of('a'), movingFilm(memory.sketch, motion))
    const around = [...motionOf(4, 40), ...motion, ...motionOf(5, 40)]
    expect(await knownOf(of('b'), movingFilm(memory.sketch, around, { noise: 0.5 }))).toBe(pictures)
    const lost = [...motionOf(6, 100), ...motion, ...motionOf(7, 100)]
    expect(await knownOf(of('c'), movingFilm(memory.sketch, lost, { noise: 0.5 }))).toBe(0)
  })

  test.each([
    ['moves otherwise in the same room', () => motionOf(8, pictures)],
    ['moves as before at other times', () => motionOf(1, 2 * pictures).filter((_, i) => i % 2 === 0)],
    [
      'moves as before in one part of a visit only',
      () => [...motionOf(1, pictures).slice(0, 50), ...motionOf(9, 40)],
    ],
  ])('does not belong to a person who %s', async (_name, motion) => {
    const { memory, knownOf } = start()
    await knownOf(of('a'), movingFilm(memory.sketch, motionOf(1, pictures)))
    expect(await knownOf(of('b'), movingFilm(memory.sketch, motion()))).toBe(0)
  })

  test('is not searched among the films of another account', async () => {
    const { memory, knownOf } = start()
    const motion = motionOf(1, pictures)
    await knownOf(of('a'), movingFilm(memory.sketch, motion))
    const { value, guard } = of('b')
    const elsewhere = { value: { ...value, accountId: 'another' }, guard }
    expect(await knownOf(elsewhere, movingFilm(memory.sketch, motion, { noise: 0.1 }))).toBe(0)
  })

  test('is recognised in the next try, and gets the same answer in its own', async () => {
    const { memory, knownOf, contents } = start()
    const motion = motionOf(1, pictures)
    const film = movingFilm(memory.sketch, motion)
    await knownOf(of('a', 0), film)
    const before = await contents()
    expect(await knownOf(of('a', 0), film)).toBe(0)
    expect(await contents()).toEqual(before)
    expect(await knownOf(of('a', 1), movingFilm(memory.sketch, motion, { noise: 0.5 }))).toBe(pictures)
  })

  test('leaves eleven entries, which are deleted with the session, and no clear numbers', async () => {
    const { memory, knownOf, contents } = start()
    const film = movingFilm(memory.sketch, motionOf(1, pictures))
    await knownOf(of('a'), film)
    const lines = await contents()
    expect(lines).toHaveLength(11)
    const motion = packMotion(sketchedPictures(film)).subarray(8, 40)
    for (const form of ['base64url', 'latin1', 'hex'] as const)
      expect(lines.filter((line) => line.includes(motion.toString(form)))).toEqual([])
    expect(lines.join('').length).toBeLessThan(5000)
    await memory.forget(['a'])
    expect(await contents()).toEqual([])
    expect(await knownOf(of('b'), movingFilm(memory.sketch, motionOf(1, pictures)))).toBe(0)
  })

  test('costs 88 reads and those of the films that are found, however many there are', async () => {
    const { memory, store, create, knownOf } = start()
    for (let i = 0; i < 20; i++)
      await knownOf(of(`film ${i}`), movingFilm(memory.sketch, motionOf(i, pictures)))
    let reads = 0
    const get: Store['get'] = (key) => {
      reads++
      return store.get(key)
    }
    await create({ ...store, get }).compare(
      of('b'),
      movingFilm(memory.sketch, motionOf(3, 240), { noise: 0.2 }),
    )
    expect(reads).toBeGreaterThanOrEqual(88)
    expect(reads).toBeLessThanOrEqual(88 + 72)
  })

  test('is not compared without movement, because all people who sit still are alike', async () => {
    const { memory, knownOf } = start()
    const still = Array.from({ length: pictures }, () => ({ x: 16, y: 16 }))
    await knownOf(of('a'), movingFilm(memory.sketch, still, { noise: 0.3 }))
    expect(await knownOf(of('b'), movingFilm(memory.sketch, still, { noise: 0.3 }))).toBe(0)
  })
})
