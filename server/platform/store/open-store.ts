import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '#shared/problem.ts'
import { type ClockWatch, createClockWatch } from './clock-watch.ts'
import { openLmdbStore } from './drivers/lmdb.ts'
import { openRedisStore } from './drivers/redis.ts'
import type { RedisTraits } from './drivers/redis-traits.ts'
import type { RateCounter } from './rate-counter.ts'
import { createSharedRateCounter } from './shared-rate-counter.ts'
import { createSteadyStore, type SteadyStore } from './steady-store.ts'
import type { Snapshot, Store } from './store.ts'
import { type StoreOperation, timedStore } from './timed-store.ts'

export interface OpenedStore {
  readonly store: Store
  /** All of it at one moment, while others work on it. */
  snapshot(): Snapshot
  /** What it takes: of the disk where it is embedded, of a Redis server's memory otherwise. */
  bytes(): Promise<number>
  /** What of that a Redis server may hold, where it is bounded. */
  mostBytes(): Promise<number | undefined>
  /** Counts requests, together with every process on the same store. */
  readonly rateCounter: RateCounter
  /** Of a Redis server. */
  readonly traits: RedisTraits | undefined
  /** Of a Redis server, whose clock is asked. */
  readonly clock: ClockWatch | undefined
  readonly writes: Pick<SteadyStore, 'trouble' | 'failures'>
}

/** Which store is opened. */
interface StoreSettings {
  readonly dataDir: string
  /** Of a Redis server; undefined for the embedded store. */
  readonly redisAddress: string | undefined
  readonly region: 'EU' | 'US'
}

/** Where the embedded store lies. */
export function storeFolder({ dataDir }: Pick<StoreSettings, 'dataDir'>): string {
  return join(dataDir, 'store')
}

interface Also {
  readonly onNote?: (text: string) => void
  readonly onOperation?: (operation: StoreOperation, seconds: number) => void
  /** Told where nothing can be read or written any more in this process. */
  readonly onLost?: (error: Error) => void
}

interface Reporters extends Also {
  readonly onFailure: (error: unknown) => void
}

/**
 * The store that the settings name. `onFailure` is told of a connection that was lost, of counts that could not be shared, and why nothing can
 * be written.
 * @throws where a Redis server cannot be reached
 */
export async function openStore(
  settings: StoreSettings,
  onFailure: (error: unknown) => void,
  also: Also = {},
): Promise<OpenedStore> {
  const reporters = { ...also, onFailure }
  return settings.redisAddress === undefined
    ? openEmbedded(storeFolder(settings), reporters)
    : openOnRedis(settings.redisAddress, settings.region, reporters)
}

async function openOnRedis(address: string, tag: string, reporters: Reporters): Promise<OpenedStore> {
  const { onFailure } = reporters
  const redis = await openRedisStore(address, { tag, onFailure })
  const { rateCounter, bytes, mostBytes, time } = redis
  const [traits, clock] = [await redis.traits(), createClockWatch(time, Date.now)]
  await clock.check()
  const store = createSteadyStore(timed(redis, reporters), {
    refusal: 'overloaded',
    onChange: telling(reporters),
  })
  return { store, snapshot: redis.snapshot, rateCounter, bytes, mostBytes, traits, clock, writes: store }
}

async function openEmbedded(folder: string, reporters: Reporters): Promise<OpenedStore> {
  const embedded = openLmdbStore(folder)
  const store = createSteadyStore(timed(embedded, reporters), {
    refusal: 'store_read_only',
    onChange: telling(reporters),
    ...(reporters.onLost && { onLost: reporters.onLost }),
  })
  const onFailure = (error: unknown) => {
    // That nothing can be written was told once, when it began.
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
    writes: store,
  }
}

function timed(store: Store, { onOperation }: Reporters): Store {
  return onOperation === undefined ? store : timedStore(store, onOperation)
}

function telling({ onFailure, onNote }: Reporters) {
  return (trouble: string | undefined) => {
    if (trouble === undefined) onNote?.('The store takes writes again')
    else onFailure(new Error(`The store takes no writes: ${trouble}`))
  }
}

/** What keeps a store from being relied on, in words. */
export function troublesOf({ writes, clock }: Pick<OpenedStore, 'writes' | 'clock'>): readonly string[] {
  const trouble = writes.trouble()
  const drift = clock?.trouble()
  return [
    ...(trouble === undefined ? [] : [`The store takes no writes: ${trouble}.`]),
    ...(drift === undefined ? [] : [drift]),
  ]
}
