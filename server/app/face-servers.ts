import {
  createCodeCache,
  createPartition,
  type FaceServers,
  type IndexKind,
} from '#server/features/recognition/recognition.ts'
import { readPostgresAddress } from '#server/platform/store/drivers/postgres/postgres-address.ts'
import { serverNameOf } from '#server/platform/store/store-traits.ts'
import type { Settings } from './settings.ts'

/** The face index and its servers, according to the settings. */
export interface OpenedFaceServers {
  /** Undefined if no setting names a PostgreSQL server. */
  readonly faceServers: FaceServers | undefined
  readonly faceIndex: IndexKind
  /** How many searches since startup may have had an incomplete result; undefined if there are no servers. */
  inexactSearches(): number | undefined
  /** Problems that prevent the use of servers that hold the deployment's index. */
  troubles(): Promise<readonly string[]>
  close(): Promise<void>
}

type Naming = Pick<Settings, 'storeAddress' | 'region' | 'upkeep'>

function databaseOf(address: string): string {
  const { host, port, database } = readPostgresAddress(address)
  return `${host}:${port}/${database}`
}

/**
 * The PostgreSQL servers that may store faces: the one in STORE, then those in INDEX_SERVERS. Their order determines each
 * face's server.
 */
function faceServerAddresses({ storeAddress, upkeep }: Naming) {
  const store =
    storeAddress !== undefined && serverNameOf(storeAddress) === 'PostgreSQL' ? [storeAddress] : []
  const further = upkeep.indexServers.map((address) => ({ address, namedBy: 'INDEX_SERVERS' }))
  return [...store.map((address) => ({ address, namedBy: 'STORE' })), ...further]
}

/**
 * Opens these servers. Connections are made on first use.
 * @throws an Error if FACE_INDEX requires a server and none is configured
 */
export function openFaceServers(
  settings: Naming,
  onFailure: (error: unknown) => void,
  onSearch?: FaceServers['onSearch'],
): OpenedFaceServers {
  const named = faceServerAddresses(settings)
  const { faceIndex, indexCodesInMemory } = settings.upkeep
  if (faceIndex === 'postgres' && named.length === 0)
    throw new Error(
      'The settings are wrong.\n  FACE_INDEX: postgres requires a server: STORE=postgres://… or INDEX_SERVERS=postgres://….',
    )
  if (new Set(named.map(({ address }) => databaseOf(address))).size < named.length)
    throw new Error('The settings are wrong.\n  INDEX_SERVERS: a database is listed twice, here or in STORE.')
  const partitions = named.map(({ address, namedBy }, i) =>
    createPartition(
      address,
      { place: i + 1, places: named.length },
      { tag: settings.region, namedBy, onFailure },
    ),
  )
  const codeCache =
    indexCodesInMemory === 0 ? undefined : createCodeCache({ mostCodes: indexCodesInMemory, now: Date.now })
  let inexact = 0
  const onInexact = () => void inexact++
  return {
    faceServers: named.length === 0 ? undefined : { partitions, codeCache, onInexact, onSearch },
    faceIndex,
    inexactSearches: () => (named.length === 0 ? undefined : inexact),
    async troubles() {
      if (faceIndex !== 'postgres') return []
      const tried = await Promise.allSettled(partitions.map((partition) => partition.prepare()))
      return tried.flatMap((one) =>
        one.status === 'rejected' ? [String((one.reason as Error).message)] : [],
      )
    },
    async close() {
      await Promise.all(partitions.map((partition) => partition.close()))
    },
  }
}
