import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreKind } from '#server/platform/running/trace-context.ts'
import { Problem } from '#shared/problem.ts'
import type { Blobs } from './blobs/blobs.ts'
import { type ClockWatch, createClockWatch } from './clock-watch.ts'
import { openLmdbStore } from './drivers/lmdb.ts'
import type { PostgresRows } from './drivers/postgres/postgres-rows.ts'
import type { RateCounter } from './rate-counter.ts'
import { createSharedRateCounter } from './shared-rate-counter.ts'
import { createSteadyStore, type SteadyStore } from './steady-store.ts'
import type { Snapshot, Store } from './store.ts'
import { type StoreTraits, serverNameOf } from './store-traits.ts'
import { type StoreOperation, timedStore } from './timed-store.ts'

/** A pool's open connections, the ones in use, and the callers waiting for one. */
export interface Connections {
  readonly open: number
  readonly lent: number
  readonly waiting: number
}

/** Returns a function that stops the calls. */
export type OnHint = (tell: () => void) => () => void

export interface OpenedStore {
  readonly store: Store
  /** The whole store at one moment, while other processes continue to write. */
  snapshot(): Snapshot
  /** The store's size: on disk if it is embedded or on PostgreSQL, in memory on a Redis server. */
  bytes(): Promise<number>
  /** A Redis server's memory limit, if it has one. */
  mostBytes(): Promise<number | undefined>
  /** Connections to a PostgreSQL server; undefined on other stores. */
  connections(): Connections | undefined
  /** Calls `tell` soon after any process adds to a change log, if the store supports it; hints can be lost. */
  readonly onHint?: OnHint
  /** Counts requests together with all processes on the same store. */
  readonly rateCounter: RateCounter
  /** Only present for a server. */
  readonly traits: StoreTraits | undefined
  /** Compares our clock with the server's. Only present for a server. */
  readonly clock: ClockWatch | undefined
  readonly writes: Pick<SteadyStore, 'trouble' | 'failures'>
  /** Blobs next to the records, if the server has a place for them; undefined if a folder is needed. */
  readonly blobs: Blobs | undefined
  /** For separate tables next to the records; undefined unless the store is on a PostgreSQL server. */
  readonly rows: PostgresRows | undefined
}

/** Selects the store to open. */
interface StoreSettings {
  readonly dataDir: string
  /** A Redis or PostgreSQL server's address; undefined for the embedded store. */
  readonly storeAddress: string | undefined
  readonly region: 'EU' | 'US'
}

/** The embedded store's folder. */
export function storeFolder({ dataDir }: Pick<StoreSettings, 'dataDir'>): string {
  return join(dataDir, 'store')
}

interface StoreObservers {
  readonly onNote?: (text: string) => void
  readonly onOperation?: (operation: StoreOperation, seconds: number) => void
  /** Runs when the store can no longer be read or written in this process. */
  readonly onLost?: (error: Error) => void
}

interface Reporters extends StoreObservers {
  readonly onFailure: (error: unknown) => void
}

/**
 * Opens the store that the settings name. `onFailure` receives lost connections, counts that could not be shared, and the
 * reason that writes fail.
 * @throws if a server cannot be reached or is not suitable
 */
export async function openStore(
  settings: StoreSettings,
  onFailure: (error: unknown) => void,
  also: StoreObservers = {},
): Promise<OpenedStore> {
  const reporters = { ...also, onFailure }
  return settings.storeAddress === undefined
    ? openEmbedded(storeFolder(settings), reporters)
    : openOnServer(settings.storeAddress, settings.region, reporters)
}

async function openOnServer(address: string, tag: string, reporters: Reporters): Promise<OpenedStore> {
  const name = serverNameOf(address)
  const { onFailure } = reporters
  const behind =
    name === 'PostgreSQL'
      ? await openOnPostgres(address, tag, onFailure)
      : await openOnRedis(address, tag, onFailure)
  const { snapshot, rateCounter, connections, blobs, rows } = behind
  const { bytes, mostBytes, time } = behind.server
  const [traits, clock] = [await behind.server.traits(), createClockWatch(time, Date.now, name)]
  await clock.check()
  const store = createSteadyStore(timed(behind, name === 'PostgreSQL' ? 'postgres' : 'redis', reporters), {
    onChange: telling(reporters),
  })
  const hinting = 'onHint' in behind ? { onHint: behind.onHint } : {}
  return {
    ...{
      store,
      snapshot,
      rateCounter,
      bytes,
      mostBytes,
      connections,
      traits,
      clock,
      writes: store,
      blobs,
      rows,
    },
    ...hinting,
  }
}

/** [Note: A server's driver is loaded where it is used] The Redis driver is a third of all the code that a start would load. */
async function openOnRedis(address: string, tag: string, onFailure: Reporters['onFailure']) {
  const { openRedisStore } = await import('./drivers/redis.ts')
  return {
    connections: () => undefined,
    blobs: undefined,
    rows: undefined,
    ...(await openRedisStore(address, { tag, onFailure })),
  }
}

async function openOnPostgres(address: string, tag: string, onFailure: Reporters['onFailure']) {
  const { openPostgresStore } = await import('./drivers/postgres/postgres.ts')
  const postgres = await openPostgresStore(address, { tag, onFailure })
  return { ...postgres, connections: postgres.pool.figures }
}

async function openEmbedded(folder: string, reporters: Reporters): Promise<OpenedStore> {
  const embedded = openLmdbStore(folder)
  const store = createSteadyStore(timed(embedded, 'lmdb', reporters), {
    onChange: telling(reporters),
    ...(reporters.onLost && { onLost: reporters.onLost }),
  })
  const onFailure = (error: unknown) => {
    // Failing writes were reported once, when they began.
    if (!(error instanceof Problem)) reporters.onFailure(error)
  }
  const rateCounter = createSharedRateCounter({ store, now: Date.now, onFailure })
  const close = async () => {
    await rateCounter.close().catch(onFailure)
    await store.close()
  }
  const bytes = async () => (await stat(join(folder, 'data.mdb'))).size
  return {
    store: { ...store, close },
    snapshot: embedded.snapshot,
    rateCounter,
    bytes,
    mostBytes: async () => undefined,
    traits: undefined,
    clock: undefined,
    connections: () => undefined,
    writes: store,
    blobs: undefined,
    rows: undefined,
  }
}

function timed(store: Store, kind: StoreKind, { onOperation }: Reporters): Store {
  return onOperation === undefined ? store : timedStore(store, kind, onOperation)
}

function telling({ onFailure, onNote }: Reporters) {
  return (trouble: string | undefined) => {
    if (trouble === undefined) onNote?.('The store accepts writes again')
    else onFailure(new Error(`The store refuses writes: ${trouble}`))
  }
}

/** Reasons why a store cannot be relied on, as messages. */
export function troublesOf({ writes, clock }: Pick<OpenedStore, 'writes' | 'clock'>): readonly string[] {
  const trouble = writes.trouble()
  const drift = clock?.trouble()
  return [
    ...(trouble === undefined ? [] : [`The store refuses writes: ${trouble}.`]),
    ...(drift === undefined ? [] : [drift]),
  ]
}
