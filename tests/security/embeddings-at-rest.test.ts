import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, RESP_TYPES } from 'redis'
import { describe, expect, test } from 'vitest'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import type { Store } from '#server/platform/store/store.ts'
import { indexFace, searchFace, searchOrIndexFace } from '#shared/contract/recognition/recognition.ts'
import { resetCollection, verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { imageOf, newCollection } from '../support/drawn/gallery.ts'
import { randomEmbedding } from '../support/drawn/random-face.ts'
import { createRandomPeople } from '../support/drawn/random-people.ts'
import { tracesOf } from '../support/drawn/traces.ts'
import { startHost } from '../support/host.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../support/programs/redis-server.ts'
import { newVerification, visit } from '../support/visit.ts'

const people = Array.from({ length: 12 }, (_, i) => i)
const scene = (person: number) => ({ person: String(person) })
const nameOf = (person: number) => `somebody-${person}@people.example`

/** Every way to store, search for and remove a face. */
async function fill(store: Store): Promise<void> {
  const host = await startHost({ store, ports: { analysis: createRandomPeople() } })
  const collectionId = await newCollection(host)
  const body = (person: number) => ({ body: { collectionId, image: imageOf(scene(person)) } })
  for (const person of [0, 1]) await host.call(indexFace, body(person))
  for (const person of [1, 2]) await host.call(searchOrIndexFace, body(person))
  for (const person of [2, 3]) await host.call(searchFace, body(person))
  for (const person of [4, 5, 5]) {
    await host.call(verifyDuplicate, {
      query: {
        collectionName: 'verified',
        externalIdentifier: nameOf(person),
        includeDemographicalInfo: true,
      },
      body: { imageData: imageOf(scene(person)).bytes },
    })
  }
  await host.call(resetCollection, { query: { collectionName: 'verified', entryLimit: 1 } })
  for (const [at, type] of (
    ['CalculationOnly', 'DuplicateVerification', 'MatchVerification', 'UniqueMatchVerification'] as const
  ).entries()) {
    const verificationId = await newVerification(host, {
      verifierConfigs: { faceRecognition: { type }, liveness: { type: 'Verification' } },
    })
    const { result } = await visit(host, verificationId, scene(6 + at), `reExternalId=${nameOf(6 + at)}`)
    expect(result.faceId).not.toBeNull()
  }
  await host.services.recognition.removeByExternalId(host.accountId, nameOf(8))
  expect(host.errors).toEqual([])
  await host.close()
}

function findings(content: Buffer): string[] {
  return people.flatMap((person) => {
    const traces = tracesOf(randomEmbedding(person)).filter(({ bytes }) => content.includes(bytes))
    return traces.map(({ form }) => `person ${person}: ${form}`)
  })
}

/** External ids, in clear text or as Base64. */
function namesIn(content: Buffer): string[] {
  return people
    .map(nameOf)
    .filter((name) => content.includes(name) || content.includes(Buffer.from(name).toString('base64')))
}

describe('an embedding and its person are never stored in clear text', () => {
  test('in the folder of the embedded store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'selfsame-at-rest-'))
    const store = openLmdbStore(folder)
    await fill(store)
    await store.close()
    const files = await readdir(folder, { recursive: true })
    expect(files).toContain('data.mdb')
    for (const file of files) {
      const content = await readFile(join(folder, file))
      expect(findings(content)).toEqual([])
      expect(namesIn(content)).toEqual([])
    }
    await rm(folder, { recursive: true })
  })

  test.skipIf(!hasRedisServer)(`in what a Redis server holds${needsRedisServer}`, async () => {
    const server = await startRedisServer(['--rdbcompression', 'no'])
    const store = await openRedisStore(server.address, { tag: 'EU', onFailure: () => undefined })
    await fill(store)
    const client = createClient({ url: server.address }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
    await client.connect()
    let dumped = 0
    for await (const keys of client.scanIterator()) {
      for (const key of keys) {
        const content = Buffer.concat([Buffer.from(key), (await client.dump(key))!])
        expect(findings(content)).toEqual([])
        expect(namesIn(content)).toEqual([])
        dumped++
      }
    }
    expect(dumped).toBeGreaterThan(50)
    await client.close()
    await store.close()
    await server.stop()
  })

  test.each([
    ['numbers', (embedding: Float32Array) => new Uint8Array(embedding.buffer)],
    ['base64', (embedding: Float32Array) => Buffer.from(Buffer.from(embedding.buffer).toString('base64'))],
    ['JSON', (embedding: Float32Array) => Buffer.from(JSON.stringify([...embedding]))],
  ])('and would be found if it were: as %s', async (_name, write) => {
    const store = createMemoryStore()
    await store.put('a', Buffer.concat([Buffer.from('before'), write(randomEmbedding(3))]))
    expect(findings(Buffer.from((await store.get('a'))!)).length).toBeGreaterThan(0)
  })
})
