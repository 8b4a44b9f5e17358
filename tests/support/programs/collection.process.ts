import { setTimeout as pause } from 'node:timers/promises'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import type { Store } from '#server/platform/store/store.ts'
import { visitCollections } from '../collection-visitor.ts'

/** A process that requests 30 people at once: STORE COLLECTION FIRST. Prints their faceIds and how many attempts it took. */
const [address = '', collectionId = '', first = ''] = process.argv.slice(2)
const store = await openPlace()
const visitor = visitCollections(store)
await visitor.count(collectionId)
process.stdout.write('ready\n')
await new Promise((told) => process.stdin.once('data', told))
const people = Array.from({ length: 30 }, (_, i) => Number(first) + i)
const faceIds = await Promise.all(
  people.map(async (person) => [person, await visitor.searchOrIndex(collectionId, person, () => pause(15))]),
)
process.stdout.write(`${JSON.stringify({ faceIds, attempts: visitor.attempts })}\n`)
await store.close()
process.exit()

function openPlace(): Store | Promise<Store> {
  const options = { tag: 'shared', onFailure: () => undefined }
  if (address.startsWith('redis:')) return openRedisStore(address, options)
  return address.startsWith('postgres:') ? openPostgresStore(address, options) : openLmdbStore(address)
}
