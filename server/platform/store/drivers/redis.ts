import { hash, randomUUID } from 'node:crypto'
import { RESP_TYPES } from 'redis'
import { createBatchRoom } from '#server/platform/store/batches/batches.ts'
import { type RateCounter, usageOf } from '#server/platform/store/rate-counter.ts'
import {
  type Batch,
  type Clock,
  type Entry,
  type Guard,
  type Snapshot,
  type SnapshotEntry,
  type Store,
  singleWrites,
  type Write,
  WriteFailed,
} from '#server/platform/store/store.ts'
import type { StoreServer } from '#server/platform/store/store-traits.ts'
import { Problem } from '#shared/problem.ts'
import { countedAloneWhereRefused } from './counted-alone.ts'
import { type Argument, closeRedis, connectRedis } from './redis-connection.ts'
import { taken } from './redis-refusals.ts'
import { redisMemory, traitsOf } from './redis-traits.ts'

/**
 * [Note: One slot] A commit writes several keys at once, which a Redis cluster allows only within one hash slot, so all
 * keys share one tag. Regions have different tags and can therefore share a server.
 */
function keysOf(tag: string) {
  const prefix = `{selfsame:${tag}}`
  return {
    /** All keys in order, for lists. */
    names: `${prefix}:names`,
    /** Keys by their expiry in milliseconds, for sweeps. */
    expiries: `${prefix}:expiries`,
    /** Key to an 8-byte header, as in the embedded store (the expiry in milliseconds, 0 for none), followed by the value. */
    entry: (key: string) => `${prefix}:entry:${key}`,
    /** These exist while a snapshot is taken: its name, and the keys written since it began. */
    watch: `${prefix}:snapshot`,
    changed: `${prefix}:snapshot-changed`,
    /** Counts, by a digest of their key that does not identify a person. */
    count: (key: string) => `${prefix}:count:${hash('sha256', key, 'base64url')}`,
  }
}

const headerBytes = 8
/** How many seconds a snapshot may pause before it is abandoned. */
const watchedForSeconds = 60
const noBytes = new Uint8Array()
const listedAtOnce = 100
const sweptAtOnce = 500
/** The store's clock decides when entries expire. Redis drops entries that no sweep has erased only this much later. */
const droppedAfterSeconds = 120

interface Options {
  /** Distinguishes the keys of deployments that share a server: the region. */
  readonly tag: string
  readonly now?: Clock
  /** Runs when the connection is lost or cannot be made. Reconnecting is automatic. */
  readonly onFailure: (error: unknown) => void
}

export interface RedisStore extends Store {
  /** Counts exactly, whichever process handles a request; each process for itself while the server refuses writes. */
  readonly rateCounter: RateCounter
  /** @throws if another snapshot is being taken */
  snapshot(): Snapshot
  readonly server: StoreServer
}

/**
 * A store on a Redis server (7 or later), for several processes and machines. Calls fail immediately if the server cannot
 * be reached, and after 5 seconds if it does not answer.
 * @throws {Problem} overloaded; an Error if the first connection fails
 */
export async function openRedisStore(address: string, options: Options): Promise<RedisStore> {
  const { tag, now = Date.now, onFailure } = options
  const connection = await connectRedis(address, onFailure)
  const client = withBytes(connection)
  const server: Server = { client, keys: keysOf(tag), now }
  const write = (writes: readonly Write[], guards: readonly Guard[]) => commit(server, writes, guards)

  return {
    rateCounter: countedAloneWhereRefused({
      add: (key, windowInSeconds, uses = 1) => count(server, key, windowInSeconds, uses),
      peek: (key, windowInSeconds) => count(server, key, windowInSeconds, 0),
    }),
    get: async (key) => unwrap(await reached(client.get(server.keys.entry(key))), now),
    ...singleWrites(write),
    list: (prefix, after) => list(server, prefix, after ?? ''),
    batches: (prefix) => batches(server, prefix),
    snapshot: () => snapshotOf(server),
    commit: write,
    sweep: () => sweep(server),
    close: () => closeRedis(connection),
    server: serverBehind(connection),
  }
}

function serverBehind(connection: Connection): StoreServer {
  return {
    traits: async () => {
      const settings = await connection
        .configGet(['appendonly', 'appendfsync', 'maxmemory-policy'])
        .catch(() => ({}))
      return traitsOf(settings)
    },
    time: async () => {
      const [seconds, microseconds] = await reached(connection.time())
      return Number(seconds) * 1000 + Number(microseconds) / 1000
    },
    ...redisMemory(() => reached(connection.info('memory'))),
  }
}

type Connection = Awaited<ReturnType<typeof connectRedis>>

function withBytes(connection: Connection) {
  return connection.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
}

/** A connection that returns bytes, and the store's keys on it. */
interface Server {
  readonly client: ReturnType<typeof withBytes>
  readonly keys: ReturnType<typeof keysOf>
  readonly now: Clock
}

async function commit({ client, keys, now }: Server, writes: readonly Write[], guards: readonly Guard[]) {
  const names = [
    keys.names,
    keys.expiries,
    keys.watch,
    keys.changed,
    ...[...guards, ...writes].map(({ key }) => keys.entry(key)),
  ]
  const values = [
    String(now()),
    String(guards.length),
    ...guards.map(({ value }) => (value === undefined ? '-' : Buffer.concat([Buffer.from('+'), value]))),
    ...writes.flatMap((write) => argumentsOf(write, now)),
  ]
  return Number(await reached(taken(client.commitEntries(names, values)))) === 1
}

async function* list(server: Server, prefix: string, after = ''): AsyncGenerator<Entry> {
  for await (const entries of listBatches(server, prefix, after)) yield* entries
}

async function* batches(server: Server, prefix: string): AsyncGenerator<Batch> {
  const room = createBatchRoom()
  for await (const entries of listBatches(server, prefix)) {
    for (const { value } of entries) room.put(value)
    if (entries.length > 0) yield room.take()
  }
}

async function* listBatches(server: Server, prefix: string, after = ''): AsyncGenerator<Entry[]> {
  const { client, keys, now } = server
  for (let from: Argument = after === '' || after < prefix ? `[${prefix}` : `(${after}`; ; ) {
    const names = await namesFrom(server, from, prefix)
    if (names.length === 0) return
    const stored = await reached(client.mGet(names.map((name) => keys.entry(name))))
    yield names.flatMap((key, i) => {
      const bytes = stored[i] as Buffer | null
      const value = unwrap(bytes, now)
      return value === undefined ? [] : [{ key, value, expiresAt: bytes?.readDoubleBE() || undefined }]
    })
    if (names.length < listedAtOnce) return
    from = `(${names.at(-1)!}`
  }
}

/**
 * A snapshot of the moment at which reading ends. [Note: A watch has a name] Writes are recorded only while the watch
 * lasts, and for one snapshot at a time. Each snapshot has its own name, and fails if its watch has expired, even if
 * another snapshot is being watched by then.
 */
function snapshotOf(server: Server): Snapshot {
  const { client, keys, now } = server
  const name = randomUUID()
  const names = [keys.watch, keys.changed]
  let takenAt = 0
  const watch = (seconds: number) => reached(client.watchOn(names, [name, String(seconds)]))
  async function* entries(): AsyncGenerator<SnapshotEntry> {
    if ((await reached(client.beginWatch(names, [name, String(watchedForSeconds)]))) === 0)
      throw new Error(
        'Another backup is running, or was interrupted less than a minute ago. Try again in a minute.',
      )
    try {
      let read = 0
      for await (const entry of list(server, '', '')) {
        yield entry
        if (++read % listedAtOnce === 0 && (await watch(watchedForSeconds)) === 0) throw stoodStill()
      }
      takenAt = now()
      const changed = await reached(client.takeChanged(names, [name, keys.entry('')]))
      if (changed === null) throw stoodStill()
      for (let i = 0; i < changed.length; i += 2) {
        const bytes = changed[i + 1]!
        const stored = bytes.length === 0 ? null : bytes
        const expiresAt = stored?.readDoubleBE() || undefined
        yield { key: String(changed[i]), value: unwrap(stored, now), expiresAt }
      }
    } finally {
      await watch(0).catch(() => undefined)
    }
  }
  return { entries: entries(), takenAt: () => takenAt }
}

function stoodStill(): Error {
  return new Error(
    `The backup paused for more than ${watchedForSeconds} seconds and may miss recent writes. Run it again.`,
  )
}

/** The next keys in byte order. No key contains byte 255, so it sorts after all of them. */
async function namesFrom({ client, keys }: Server, from: Argument, prefix: string): Promise<string[]> {
  const end = Buffer.concat([Buffer.from(`[${prefix}`), Buffer.of(255)])
  const limit = { offset: 0, count: listedAtOnce }
  return (await reached(client.zRange(keys.names, from, end, { BY: 'LEX', LIMIT: limit }))).map(String)
}

async function sweep({ client, keys, now }: Server): Promise<number> {
  let erased = 0
  for (let full = true; full; ) {
    const limit = { offset: 0, count: sweptAtOnce }
    const due = await reached(client.zRangeByScore(keys.expiries, '-inf', now(), { LIMIT: limit }))
    const names = due.map(String)
    full = names.length === sweptAtOnce
    if (names.length === 0) break
    const entries = names.map((name) => keys.entry(name))
    const values = [String(now()), ...names]
    erased += Number(await reached(client.sweepEntries([keys.names, keys.expiries, ...entries], values)))
  }
  return erased
}

async function count({ client, keys }: Server, key: string, windowInSeconds: number, uses: number) {
  const values = [windowInSeconds * 1000, uses].map(String)
  const { counted, left } = await reached(taken(client.countUses([keys.count(key)], values)))
  return usageOf(counted, left)
}

/** Resolves to the server's answer. If the server cannot be reached, rejects with the problem to respond with. */
async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof WriteFailed) throw error
    throw new Problem('store_unavailable', 'The store is unavailable. Try again later.', {
      retryAfterInSeconds: 2,
    })
  }
}

function argumentsOf(write: Write, now: Clock): Argument[] {
  const { key } = write
  switch (write.kind) {
    case 'put':
      return [key, ...withExpiry(write.value, write.expiresInSeconds, now), '-']
    case 'append':
      return [key, ...withExpiry(write.value, write.expiresInSeconds, now), '#']
    case 'add':
      return [key, ...withExpiry(noBytes, write.expiresInSeconds, now), String(write.more)]
    case 'remove':
      return [key, '-', '0', '0', '-']
  }
}

function withExpiry(value: Uint8Array, expiresInSeconds: number | undefined, now: Clock): Argument[] {
  const expiresAt = expiresInSeconds === undefined ? 0 : Math.ceil(now() + expiresInSeconds * 1000)
  const header = Buffer.alloc(headerBytes)
  header.writeDoubleBE(expiresAt)
  const dropped = expiresInSeconds === undefined ? 0 : Math.ceil(expiresInSeconds) + droppedAfterSeconds
  return [Buffer.concat([header, value]), String(expiresAt), String(dropped)]
}

function unwrap(stored: Buffer | null, now: Clock): Uint8Array | undefined {
  if (stored === null) return undefined
  const expiresAt = stored.readDoubleBE()
  return expiresAt !== 0 && expiresAt <= now() ? undefined : stored.subarray(headerBytes)
}
