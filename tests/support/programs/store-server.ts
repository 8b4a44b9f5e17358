import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import type { Store } from '#server/platform/store/store.ts'
import { hasPostgresServer, needsPostgresServer, startPostgresServer } from './postgres-server.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from './redis-server.ts'

/** A separate server with a store. */
export interface StoreServer {
  readonly address: string
  /** Opens another view of it, as another process in the EU region would. */
  open(): Promise<Store>
  stop(): Promise<void>
}

interface Kind {
  readonly name: 'Redis' | 'PostgreSQL'
  readonly isMissing: boolean
  /** A suffix for the names of tests that need one. */
  readonly needs: string
  start(): Promise<StoreServer>
}

const options = { tag: 'EU', onFailure: () => undefined }
/** Many views get only a few connections each, because the server allows a hundred. */
const ofMany = '?pool_max=3'

const kinds: readonly Kind[] = [
  {
    name: 'Redis',
    isMissing: !hasRedisServer,
    needs: needsRedisServer,
    async start() {
      const { address, stop } = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
      return { address, stop, open: () => openRedisStore(address, options) }
    },
  },
  {
    name: 'PostgreSQL',
    isMissing: !hasPostgresServer,
    needs: needsPostgresServer,
    async start() {
      const { address, stop } = await startPostgresServer()
      return { address, stop, open: () => openPostgresStore(address + ofMany, options) }
    },
  },
]

/** All kinds of servers for a store, along with their names for tests. */
export const storeServers: readonly (readonly [name: string, kind: Kind])[] = kinds.map((kind) => [
  `${kind.name}${kind.needs}`,
  kind,
])
