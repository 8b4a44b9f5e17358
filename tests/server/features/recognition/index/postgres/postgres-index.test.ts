import '../../../../../long-alone.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { closestByModel } from '#server/features/recognition/index/gallery.ts'
import { eraseGalleries, readGallery } from '#server/features/recognition/index/postgres/gallery-rows.ts'
import { serverFor } from '#server/features/recognition/index/postgres/near-rows.ts'
import { ownerOf } from '#server/features/recognition/store/face-store.ts'
import { moveCollection } from '#server/features/recognition/transfer/move-collection.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { searchCandidates } from '#shared/contract/recognition/named-faces.ts'
import { indexFace, searchFace, searchOrIndexFace } from '#shared/contract/recognition/recognition.ts'
import type { Problem } from '#shared/problem.ts'
import { accountId, visitCollections } from '../../../../../support/collection-visitor.ts'
import { imageOf, newCollection } from '../../../../../support/drawn/gallery.ts'
import { randomEmbedding } from '../../../../../support/drawn/random-face.ts'
import { type Host, startHost } from '../../../../../support/host.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../../../support/programs/postgres-server.ts'
import { openFaceServers } from '../../../../../support/recognition/face-servers.ts'

const people = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
let collections = 0
const newId = () => `gallery ${++collections}`

describe.skipIf(!hasPostgresServer)(`faces on three servers${needsPostgresServer}`, () => {
  const servers: PostgresServer[] = []
  let opened: ReturnType<typeof openFaceServers>
  let host: Host
  let inexact = 0
  beforeAll(async () => {
    for (let i = 0; i < 3; i++) servers.push(await startPostgresServer())
    opened = openFaceServers(
      servers.map(({ address }) => `${address}?connect_timeout=1&statement_timeout=2000`),
      'EU',
      () => void inexact++,
    )
    host = await startHost({
      ports: { faceServers: opened.servers, faceIndex: 'postgres', inexactSearches: () => inexact },
    })
  })
  afterAll(async () => {
    await host?.close()
    await opened?.close()
    for (const server of servers) await server.stop()
  })
  const visit = (store = createMemoryStore(), faceIndex: 'memory' | 'postgres' = 'postgres') =>
    visitCollections(store, { faceServers: opened.servers, faceIndex })
  const rowsOf = async (i: number, owner: string) => {
    const [row] = await servers[i]!.sql(
      `SELECT count(*) AS faces, count(c.sequence) AS codes FROM selfsame_eu_faces.faces f
         JOIN selfsame_eu_faces.galleries g ON g.id = f.gallery
         LEFT JOIN selfsame_eu_faces.codes_fr_feature_2 c ON c.gallery = f.gallery AND c.sequence = f.sequence
         WHERE g.owner = '${owner}'`,
    )
    return { faces: Number(row!.faces), codes: Number(row!.codes) }
  }
  const ownerIn = (visitor: ReturnType<typeof visit>, id: string) =>
    visitor.access.use(accountId, id, async ({ place }) => ownerOf(place))

  test('each face is stored with its code on the server that its id selects', async () => {
    const [visitor, id] = [visit(), newId()]
    const faceIds = await visitor.addSeveral(id, people(0, 90))
    await visitor.count(id)
    const owner = await ownerIn(visitor, id)
    for (const i of [0, 1, 2]) {
      const faces = faceIds.filter((faceId) => serverFor(faceId, 3) === i + 1).length
      expect(faces).toBeGreaterThan(10)
      expect(await rowsOf(i, owner)).toEqual({ faces, codes: faces })
    }
  })

  test('nothing of a face is left on any server when its deletion is answered, nor of a collection', async () => {
    const [visitor, id] = [visit(), newId()]
    const faceIds = await visitor.addSeveral(id, people(0, 30))
    await visitor.count(id)
    const owner = await ownerIn(visitor, id)
    const left = async () => {
      const rows = await Promise.all([0, 1, 2].map((i) => rowsOf(i, owner)))
      return rows.reduce((sum, { faces, codes }) => sum + faces + codes, 0)
    }
    expect(await left()).toBe(60)
    await visitor.remove(id, faceIds.slice(0, 12))
    expect(await left()).toBe(36)
    await visitor.erase(id)
    expect(await left()).toBe(0)
    for (const server of servers) {
      const codes = await server.sql(
        `SELECT count(*) AS count FROM selfsame_eu_faces.codes_fr_feature_2 WHERE gallery NOT IN (SELECT id FROM selfsame_eu_faces.galleries)`,
      )
      expect(Number(codes[0]!.count)).toBe(0)
    }
  })

  test('a server that is stopped during a search causes a 503 with the number of missing ones, and recovery is automatic', async () => {
    const collectionId = await newCollection(host)
    const body = (person: string) => ({ collectionId, image: imageOf({ person }) })
    const { faceId } = await host.call(indexFace, { body: body('anna') })
    expect(await host.call(searchFace, { body: body('anna') })).toMatchObject({ faceId })
    const gone = servers[1]!
    const searches = Array.from({ length: 20 }, (_, i) =>
      host.call(searchFace, { body: body(`p${i}`) }).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    )
    await gone.kill()
    for (const status of await Promise.all(searches)) expect([200, 503]).toContain(status)

    const incomplete = { status: 503, code: 'search_incomplete', retryAfterInSeconds: 2 }
    await expect(host.call(searchFace, { body: body('anna') })).rejects.toMatchObject(incomplete)
    const refused = await host.fetch('/v1/face/search-or-index', {
      method: 'POST',
      headers: { Authorization: `Bearer ${host.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body('newcomer')),
    })
    if (refused.status === 503)
      expect(await refused.json()).toMatchObject({ code: 'search_incomplete', partition: 2, partitions: 3 })
    const call = host.call(searchOrIndexFace, { body: body('newcomer') })
    await expect(call).rejects.toMatchObject({ ...incomplete, members: { partition: 2, partitions: 3 } })

    await gone.start()
    expect(await host.call(searchFace, { body: body('anna') })).toMatchObject({ faceId })
    const kept = await host.call(searchOrIndexFace, { body: body('newcomer') })
    expect(kept.resultSource).toBe('Index')
    expect(await host.call(searchFace, { body: body('newcomer') })).toMatchObject({ faceId: kept.faceId })
  })

  test('a hanging one is refused in time, too', async () => {
    const collectionId = await newCollection(host)
    const body = { collectionId, image: imageOf({ person: 'anna' }) }
    await host.call(indexFace, { body })
    servers[2]!.suspend()
    try {
      const started = performance.now()
      await expect(host.call(searchFace, { body })).rejects.toMatchObject({ code: 'search_incomplete' })
      expect(performance.now() - started).toBeLessThan(20_000)
    } finally {
      servers[2]!.resume()
    }
    expect((await host.call(searchFace, { body })).hasFace).toBe(true)
  })

  test('additions during an outage are loaded by the next search', async () => {
    const [visitor, id] = [visit(), newId()]
    await visitor.addSeveral(id, people(0, 9))
    await visitor.count(id)
    await servers[0]!.kill()
    const faceIds = await visitor.addSeveral(id, people(20, 30))
    await expect(visitor.count(id)).rejects.toMatchObject({ code: 'search_incomplete' })
    await servers[0]!.start()
    expect(await visitor.count(id)).toMatchObject({ size: 39 })
    for (const i of [0, 15, 29]) expect(await visitor.find(id, 20 + i)).toBe(faceIds[i])
  })

  test('below the score of a match an answer states that something may be missing, which readiness counts', async () => {
    const collectionId = await newCollection(host)
    const image = imageOf({ person: 'anna' })
    await host.call(indexFace, { body: { collectionId, image } })
    const ask = (faceMatchThreshold: number) =>
      host.call(searchCandidates, { body: { image, collectionIds: [collectionId], faceMatchThreshold } })
    const before = inexact
    expect(await ask(80)).not.toHaveProperty('isExact')
    expect(inexact).toBe(before)
    expect(await ask(79)).toMatchObject({ isExact: false, candidates: [{ similarity: 100 }] })
    expect(inexact).toBeGreaterThan(before)
    expect(await (await host.fetch('/v1/readyz')).json()).toMatchObject({ inexactSearches: inexact })
  })

  test('another number of servers loads everything again', async () => {
    const [store, id] = [createMemoryStore(), newId()]
    const visitor = visit(store)
    const faceIds = await visitor.addSeveral(id, people(0, 40))
    await visitor.count(id)
    const two = openFaceServers(
      servers.slice(0, 2).map(({ address }) => address),
      'EU',
    )
    const other = visitCollections(store, { faceServers: two.servers, faceIndex: 'postgres' })
    expect(await other.count(id)).toMatchObject({ size: 40 })
    for (const person of people(0, 40)) expect(await other.find(id, person)).toBe(faceIds[person])
    await two.close()
  })

  test('removed tables are created again', async () => {
    const [visitor, id] = [visit(), newId()]
    const faceId = await visitor.add(id, 1)
    expect(await visitor.find(id, 1)).toBe(faceId)
    await servers[1]!.sql('DROP SCHEMA selfsame_eu_faces CASCADE')
    await expect(visitor.find(id, 1)).rejects.toMatchObject({ code: 'search_incomplete' })
    expect(await visitor.find(id, 1)).toBe(faceId)
    expect(await visitor.count(id)).toMatchObject({ size: 1 })
  })

  test('another start of a server and other tables are noticed by processes with codes in memory', async () => {
    const [visitor, id] = [visit(), newId()]
    await visitor.addSeveral(id, people(0, 6))
    // While they are loading, callers are given a retry time.
    const takenIn = () =>
      expect
        .poll(() => visitor.count(id).catch(({ code }: Problem) => code), { timeout: 20_000 })
        .toMatchObject({ size: 6 })
    await takenIn()
    const owner = await ownerIn(visitor, id)
    const madeAs = async () =>
      (await readGallery(opened.servers.partitions[2]!, { owner, view: embeddingModel }))?.madeAs
    const first = await madeAs()
    expect(first).toMatch(/^\d+@\d/)
    expect(await madeAs()).toBe(first)
    await servers[2]!.kill()
    await servers[2]!.start()
    await expect.poll(() => madeAs().catch(() => first), { timeout: 10_000 }).not.toBe(first)
    const second = await madeAs()
    await servers[2]!.sql('DROP SCHEMA selfsame_eu_faces CASCADE')
    await expect(visitor.count(id)).rejects.toMatchObject({ code: 'search_incomplete' })
    await takenIn()
    expect([undefined, first, second]).not.toContain(await madeAs())
  })

  test('processes that list the servers in another order do not undo each other endlessly', async () => {
    const [store, id] = [createMemoryStore(), newId()]
    const reversed = openFaceServers(
      [...servers].reverse().map(({ address }) => address),
      'EU',
    )
    const [one, other] = [
      visit(store),
      visitCollections(store, { faceServers: reversed.servers, faceIndex: 'postgres' }),
    ]
    const faceIds = await one.addSeveral(id, people(0, 60))
    const asked = [one, other, one, other].flatMap((visitor) => [visitor.find(id, 7), visitor.find(id, 50)])
    for (const outcome of await Promise.allSettled(asked)) {
      if (outcome.status === 'fulfilled') expect([faceIds[7], faceIds[50]]).toContain(outcome.value)
      else expect(['overloaded', 'search_incomplete']).toContain((outcome.reason as Problem).code)
    }
    await expect.poll(() => one.find(id, 7), { timeout: 10_000 }).toBe(faceIds[7])
    await reversed.close()
  }, 30_000)

  test('an erasure during a search does not turn into an answer without a match', async () => {
    const [visitor, id] = [visit(), newId()]
    await visitor.add(id, 1)
    const owner = await ownerIn(visitor, id)
    const search = visitor.access.use(accountId, id, async (collection) => {
      const faces = await collection.gallery()
      for (const partition of opened.servers.partitions) await eraseGalleries(partition, owner)
      return closestByModel(faces, embeddingModel, randomEmbedding(1), 80)
    })
    await expect(search).rejects.toMatchObject({ code: 'search_incomplete' })
    expect(await visitor.find(id, 1)).toBeDefined()
  })

  test('a half-erased gallery is not taken for a complete one by another process', async () => {
    const [store, id] = [createMemoryStore(), newId()]
    const faceIds = await visit(store).addSeveral(id, people(0, 30))
    await visit(store).count(id)
    const owner = await ownerIn(visit(store), id)
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let halfway = 0
    const erasing = opened.servers.partitions.map((partition) => {
      const ask: typeof partition.ask = async (statement, values) => {
        if (statement.name.endsWith('empty faces')) {
          halfway++
          await held
        }
        return partition.ask(statement, values)
      }
      return eraseGalleries({ ...partition, ask }, owner)
    })
    await expect.poll(() => halfway).toBe(3)
    for (const person of people(0, 30)) expect(await visit(store).find(id, person)).toBe(faceIds[person])
    goOn()
    await Promise.all(erasing)
    expect(await visit(store).count(id)).toMatchObject({ size: 30 })
  })

  test('a restored store is not searched with later faces', async () => {
    const [store, id] = [createMemoryStore(), newId()]
    const visitor = visit(store)
    await visitor.addSeveral(id, people(0, 5))
    const before = await entriesOf(store)
    const later = await visitor.add(id, 50)
    expect(await visitor.find(id, 50)).toBe(later)
    await putBack(store, before)
    expect(await visit(store).find(id, 50)).toBeUndefined()
    expect(await visit(store).count(id)).toMatchObject({ size: 5 })
  })

  describe('a move', () => {
    test('loads the faces during calls, and every process follows it', async () => {
      const [store, id] = [createMemoryStore(), newId()]
      const [one, other] = [visit(store, 'memory'), visit(store, 'memory')]
      const faceIds = await one.addSeveral(id, people(0, 1200))
      const moving = moveCollection(one.access, { accountId, collectionId: id, to: 'postgres' })
      const came: string[] = []
      for (const person of people(5000, 10)) came.push(await other.searchOrIndex(id, person))
      const moved = await moving
      expect(moved).toMatchObject({ collectionId: id, to: 'postgres' })
      expect(moved.faceCount).toBeGreaterThanOrEqual(1200)
      const where = await other.access.use(accountId, id, async ({ record }) => record.faceIndex)
      expect(where).toBe('postgres')
      expect(await other.count(id)).toMatchObject({ size: 1210 })
      for (const i of [0, 600, 1199]) expect(await other.find(id, i)).toBe(faceIds[i])
      for (const [i, faceId] of came.entries()) expect(await one.find(id, 5000 + i)).toBe(faceId)

      await moveCollection(one.access, { accountId, collectionId: id, to: 'memory' })
      expect(await other.find(id, 5003)).toBe(came[3])
      expect(await rowsOf(0, await ownerIn(one, id))).toEqual({ faces: 0, codes: 0 })
    })

    test('that was interrupted continues where it ended', async () => {
      const [store, id] = [createMemoryStore(), newId()]
      const visitor = visit(store, 'memory')
      await visitor.addSeveral(id, people(0, 1600))
      const owner = await ownerIn(visitor, id)
      await servers[1]!.kill()
      const broken = moveCollection(visitor.access, { accountId, collectionId: id, to: 'postgres' })
      await expect(broken).rejects.toMatchObject({ code: 'search_incomplete' })
      expect(await visitor.find(id, 1599)).toBeDefined()
      await servers[1]!.start()
      const [half] = await servers[0]!.sql(
        `SELECT id, filled_until FROM selfsame_eu_faces.galleries WHERE owner = '${owner}'`,
      )
      await moveCollection(visitor.access, { accountId, collectionId: id, to: 'postgres' })
      const [whole] = await servers[0]!.sql(
        `SELECT id, is_whole FROM selfsame_eu_faces.galleries WHERE owner = '${owner}'`,
      )
      expect(whole).toEqual({ id: half!.id, is_whole: true })
      expect(await visitor.count(id)).toMatchObject({ size: 1600 })
    })

    test('to nowhere, or of nothing, is refused', async () => {
      const store = createMemoryStore()
      const alone = visitCollections(store)
      const id = newId()
      await alone.add(id, 1)
      const move = { accountId, collectionId: id, to: 'postgres' } as const
      await expect(moveCollection(alone.access, move)).rejects.toMatchObject({ code: 'not_ready' })
      const none = { ...move, collectionId: 'none' }
      await expect(moveCollection(visit(store).access, none)).rejects.toMatchObject({ code: 'not_found' })
    })

    test('leaves a process without servers no way to search partially', async () => {
      const [store, id] = [createMemoryStore(), newId()]
      const visitor = visit(store, 'memory')
      await visitor.add(id, 1)
      await moveCollection(visitor.access, { accountId, collectionId: id, to: 'postgres' })
      await expect(visitCollections(store).find(id, 1)).rejects.toMatchObject({ code: 'not_ready' })
    })
  })

  test('a repeated search finds later additions, and misses removed faces', async () => {
    const [store, id] = [createMemoryStore(), newId()]
    const [visitor, other] = [visit(store), visit(store)]
    const kept = await visitor.add(id, 1)
    expect(await visitor.find(id, 1)).toBe(kept)
    expect(await visitor.find(id, 2)).toBeUndefined()
    const added = await other.add(id, 2)
    expect(await visitor.find(id, 2)).toBe(added)
    await other.remove(id, [kept])
    expect(await visitor.find(id, 1)).toBeUndefined()
    const again = await other.access.change(accountId, id, async (_, writer) => {
      const face = { externalId: null, embeddingModel, embedding: randomEmbedding(1) }
      const change = writer.add(face)
      return { answer: change.faceId, change }
    })
    expect(await visitor.find(id, 1)).toBe(again)
  })
})

type Entries = ReadonlyMap<string, Uint8Array>

async function entriesOf(store: Store): Promise<Entries> {
  const entries = new Map<string, Uint8Array>()
  for await (const { key, value } of store.list('')) entries.set(key, Uint8Array.from(value))
  return entries
}

/** Puts the store back to what it contained earlier. */
async function putBack(store: Store, entries: Entries): Promise<void> {
  const now = await entriesOf(store)
  for (const key of now.keys()) if (!entries.has(key)) await store.remove(key)
  for (const [key, value] of entries) await store.put(key, value)
}
