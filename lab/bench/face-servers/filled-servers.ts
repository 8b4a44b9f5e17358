import { embeddingModel } from '../../../models/rules/embedding.ts'
import { createCollectionAccess } from '../../../server/features/recognition/collections/collection-access.ts'
import {
  type CollectionAccess,
  createCodeCache,
  type FaceServers,
} from '../../../server/features/recognition/recognition.ts'
import { keyOfCollection } from '../../../server/features/recognition/store/collection.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { openPostgresStore } from '../../../server/platform/store/drivers/postgres/postgres.ts'
import { readMigrations } from '../../../server/platform/store/drivers/postgres/postgres-schema.ts'
import type { Store } from '../../../server/platform/store/store.ts'
import { openFaceServers } from '../../../tests/support/recognition/face-servers.ts'
import { blocksOf, type Gallery } from '../search/gallery.ts'

export const [accountId, collectionId] = ['bench', 'people'] as const
const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
const tag = 'EU'
/** Repeated here because this side of the bench is built and runs from a different folder. */
const migrationsFolder = 'server/platform/store/drivers/postgres/migrations'
/** If the machine is busy, scanning a million faces may take longer than the store's usual limit. */
const patience = 'statement_timeout=600000'

type CodeCache = NonNullable<FaceServers['codeCache']>

/** Keeps every collection on the servers, however small, because a server may only hold a third of it. */
const [leastCodes, mostCodes] = [1, 50_000_000]

/** The addresses that would be in a deployment's settings. */
export interface Addresses {
  readonly store: string
  readonly servers: readonly string[]
}

export interface OpenDeployment {
  readonly store: Store
  readonly access: CollectionAccess
  readonly servers: FaceServers
  /** How many code scans have been left to a server so far. */
  leftToServers(): number
  close(): Promise<void>
}

/** A process's view of the deployment: the store, the servers that keep faces, and the part that scans the codes. */
export async function openDeployment(
  addresses: Addresses,
  looking: 'servers' | 'process' = 'process',
  faceIndex: 'memory' | 'postgres' = 'postgres',
): Promise<OpenDeployment> {
  let left = 0
  const counted = ({ near }: CodeCache): CodeCache => ({
    async near(...asked) {
      const found = await near(...asked)
      if (found === undefined) left++
      return found
    },
  })
  const store = await openPostgresStore(`${addresses.store}?${patience}`, {
    tag,
    onFailure: () => undefined,
    migrations: readMigrations(migrationsFolder),
  })
  const opened = openFaceServers(
    addresses.servers.map((address) => `${address}?${patience}`),
    tag,
    () => undefined,
    looking === 'servers' ? undefined : counted(createCodeCache({ leastCodes, mostCodes, now: Date.now })),
  )
  const access = createCollectionAccess(store, keyRing, Date.now, {
    faceServers: opened.servers,
    faceIndex,
    facesInMemory: Number.POSITIVE_INFINITY,
  })
  return {
    ...{ store, access, servers: opened.servers, leftToServers: () => left },
    async close() {
      await opened.close()
      await store.close()
    },
  }
}

/** Writes a gallery's first faces to the store in the same way as a server, and returns their ids. */
export async function fillStore(
  { store, access }: OpenDeployment,
  { file, length }: Gallery,
  size: number,
): Promise<readonly string[]> {
  await access.change(accountId, collectionId, async (_, writer) => ({
    answer: undefined,
    change: writer.make(),
  }))
  const { place, record } = await access.use(accountId, collectionId, async (collection) => collection)
  const key = keyOfCollection(keyRing, accountId, record)
  const faceIds: string[] = []
  for await (const faces of blocksOf(file, length, size)) {
    const added = Array.from({ length: faces.length / length }, (_, i) => {
      const embedding = faces.slice(i * length, (i + 1) * length)
      return access.faceStore.writes.add(place, key, { externalId: null, embeddingModel, embedding })
    })
    await store.commit(
      added.flatMap(({ writes }) => writes),
      [],
    )
    faceIds.push(...added.map(({ faceId }) => faceId))
  }
  return faceIds
}
