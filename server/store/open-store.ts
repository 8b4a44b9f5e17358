import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#server/settings.ts'
import { openLmdbStore } from './lmdb.ts'
import { openRedisStore, type RedisTraits } from './redis.ts'
import type { Store } from './store.ts'

export interface OpenedStore {
  readonly store: Store
  /** What it takes: of the disk where it is embedded, of a Redis server's memory otherwise. */
  bytes(): Promise<number>
  /** Whether the embedded store had lost its last commit, and stands at the one before. */
  readonly tookBack: boolean
  /** Of a Redis server. */
  readonly traits: RedisTraits | undefined
}

/** Where the embedded store lies. */
export function storeFolder({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'store')
}

/**
 * The store that the settings name. `onFailure` is told of a connection that was lost.
 * @throws where a Redis server cannot be reached
 */
export async function openStore(
  settings: Pick<Settings, 'dataDir' | 'redisAddress' | 'region'>,
  onFailure: (error: unknown) => void,
): Promise<OpenedStore> {
  if (settings.redisAddress !== undefined) {
    const store = await openRedisStore(settings.redisAddress, { tag: settings.region, onFailure })
    return { store, bytes: store.bytes, tookBack: false, traits: await store.traits() }
  }
  const folder = storeFolder(settings)
  let tookBack = false
  const store = openLmdbStore(folder, Date.now, () => {
    tookBack = true
  })
  return {
    store,
    tookBack,
    bytes: async () => (await stat(join(folder, 'data.mdb'))).size,
    traits: undefined,
  }
}
