import { createClient } from 'redis'
import { embeddingLengths, embeddingModel } from '../../models/rules/embedding.ts'
import { createCollectionAccess } from '../../server/features/recognition/collections/collection-access.ts'
import { keyOfCollection } from '../../server/features/recognition/store/collection.ts'
import { createKeyRing } from '../../server/platform/crypto/key-ring.ts'
import { openPostgresStore } from '../../server/platform/store/drivers/postgres/postgres.ts'
import { openRedisStore } from '../../server/platform/store/drivers/redis.ts'
import type { Clock, Snapshot, Store } from '../../server/platform/store/store.ts'
import { type Host, startHost } from '../../tests/support/host.ts'
import { hasPostgresServer, startPostgresServer } from '../../tests/support/programs/postgres-server.ts'
import { startReceiver } from '../../tests/support/programs/receiver.ts'
import { hasRedisServer, startRedisServer } from '../../tests/support/programs/redis-server.ts'
import { newVerification, visit } from '../../tests/support/visit.ts'
import { openEmbeddedStore } from './running/embedded-store.ts'

const visits = 300
const faces = 3000
const writtenAtOnce = 500
/** Longer than sessions are stored. */
const days = 8
/** Each sweep deletes a few hundred entries. */
const sweeps = 200
const dayInMilliseconds = 24 * 3600 * 1000

/** A store and its size. */
interface MeasuredStore {
  readonly store: Store & { snapshot(): Snapshot }
  bytes(): Promise<number>
  close(): Promise<void>
}

/**
 * `npm run bench -- store-size`: the space that a session takes while it is kept, the growth of the store by the same
 * number of sessions a week later, which is the part that is never deleted (audit log, counts), and the space of a
 * face; on the embedded store and, if available, on a Redis server and a PostgreSQL server. Also counts the store
 * calls per session. Sessions are complete, from the signed link over every step to the result and its webhook; their
 * pictures are drawn, and the store keeps none of them.
 */
export async function benchStoreSize(): Promise<Record<string, number>> {
  return {
    ...named('lmdb', await measure(openEmbeddedStore)),
    ...(hasRedisServer && named('redis', await measure(openOnRedis))),
    ...(hasPostgresServer && named('postgres', await measure(openOnPostgres))),
  }
}

function named(what: string, figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${what}.${name}`, value]))
}

async function openOnRedis(now: Clock): Promise<MeasuredStore> {
  const server = await startRedisServer()
  const store = await openRedisStore(server.address, { tag: 'bench', now, onFailure: () => undefined })
  const client = await createClient({ url: server.address }).connect()
  return {
    store,
    async bytes() {
      await client.sendCommand(['MEMORY', 'PURGE'])
      return store.server.bytes()
    },
    async close() {
      await client.close()
      await store.close()
      await server.stop()
    },
  }
}

/** PostgreSQL keeps the space of deleted rows until a vacuum, and then reuses it. */
async function openOnPostgres(now: Clock): Promise<MeasuredStore> {
  const server = await startPostgresServer()
  const options = { tag: 'bench', now, onFailure: () => undefined }
  const store = await openPostgresStore(server.address, options)
  return {
    store,
    async bytes() {
      await server.sql('VACUUM')
      return store.server.bytes()
    },
    async close() {
      await store.close()
      await server.stop()
    },
  }
}

/** Wraps a store and counts the calls to it. */
function counting<S extends Store>(store: S) {
  const asked = { reads: 0, lists: 0, commits: 0 }
  const count =
    <A extends unknown[], R>(what: keyof typeof asked, ask: (...args: A) => R) =>
    (...args: A) => {
      asked[what]++
      return ask(...args)
    }
  return {
    asked,
    store: {
      ...store,
      get: count('reads', store.get),
      list: count('lists', store.list),
      put: count('commits', store.put),
      putIfAbsent: count('commits', store.putIfAbsent),
      remove: count('commits', store.remove),
      commit: count('commits', store.commit),
    },
  }
}

async function measure(open: (now: Clock) => Promise<MeasuredStore>): Promise<Record<string, number>> {
  const sessions = await measureSessions(open)
  return { ...sessions, ...(await measureFaces(open)) }
}

async function measureSessions(open: (now: Clock) => Promise<MeasuredStore>) {
  let ahead = 0
  const { store, bytes, close } = await open(() => Date.now() + ahead)
  const receiver = await startReceiver()
  const { asked, store: counted } = counting(store)
  const host = await startHost({ store: counted })
  const verification = await newVerification(host, { webhookConfig: { eventCallbackUrl: receiver.address } })
  const begin = async (from: number) => {
    for (let i = from; i < from + visits; i++)
      await visit(host, verification, { person: `person ${i}` }, `reExternalId=customer-${i}`)
    await settle(host)
  }
  const [empty, nothing] = [await bytes(), await countOf(store)]
  const before = { ...asked }
  await begin(0)
  const calls = { ...asked }
  const [first, held] = [await bytes(), await countOf(store)]
  ahead = days * dayInMilliseconds
  for (let i = 0; i < sweeps; i++) await store.sweep()
  const left = await countOf(store)
  await begin(visits)
  const again = await bytes()
  await host.close()
  receiver.close()
  await close()
  return {
    'a session, bytes': (first - empty) / visits,
    'a session, reads': (calls.reads - before.reads) / visits,
    'a session, lists': (calls.lists - before.lists) / visits,
    'a session, commits': (calls.commits - before.commits) / visits,
    'a session, entries': (held.entries - nothing.entries) / visits,
    'a session, bytes of keys and values': (held.bytes - nothing.bytes) / visits,
    'what stays of it, bytes': (again - first) / visits,
    'what stays of it, entries': (left.entries - nothing.entries) / visits,
  }
}

async function settle({ services }: Host): Promise<void> {
  await services.deliveries.settle()
  await services.auditLog.move('all')
  await services.requestLog.flush()
}

async function countOf(store: MeasuredStore['store']): Promise<{ entries: number; bytes: number }> {
  const counted = { entries: 0, bytes: 0 }
  for await (const { key, value } of store.snapshot().entries) {
    if (value === undefined) continue
    counted.entries++
    counted.bytes += key.length + value.length
  }
  return counted
}

async function measureFaces(open: (now: Clock) => Promise<MeasuredStore>) {
  const { store, bytes, close } = await open(Date.now)
  const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
  const access = createCollectionAccess(store, keyRing, Date.now, { model: embeddingModel })
  const at = ['bench', 'people'] as const
  await access.change(...at, async (_, writer) => ({ answer: undefined, change: writer.make() }))
  const { place, record } = await access.use(...at, async (collection) => collection)
  const key = keyOfCollection(keyRing, at[0], record)
  const fill = async (count: number) => {
    for (let i = 0; i < count; i += writtenAtOnce) {
      const writes = Array.from({ length: writtenAtOnce }, (_, of) => {
        const embedding = Float32Array.from({ length: embeddingLengths[embeddingModel] }, Math.random)
        return access.faceStore.writes.add(place, key, {
          externalId: `customer-${i + of}`,
          embeddingModel,
          embedding,
        }).writes
      })
      await store.commit(writes.flat(), [])
    }
  }
  await fill(writtenAtOnce)
  const before = await bytes()
  await fill(faces)
  const after = await bytes()
  await close()
  return { 'a face, bytes': (after - before) / faces }
}
