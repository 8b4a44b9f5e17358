import { quantile } from '#lab/statistics/quantile.ts'
import { embeddingLengths, embeddingModel } from '../../../models/rules/embedding.ts'
import { keyOfCollection } from '../../../server/features/recognition/store/collection.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import type { Store } from '../../../server/platform/store/store.ts'
import { getAllCollections } from '../../../shared/contract/recognition/recognition.ts'
import { getSessions } from '../../../shared/contract/sessions/session-list.ts'
import type { Endpoint } from '../../../shared/endpoint.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { type ConsoleVisitor, signedInAs } from '../../../tests/support/console-visitor.ts'
import { type Host, startHost } from '../../../tests/support/host.ts'
import { timed } from '../running/timed.ts'

const faces = 1_000_000
const facesWrittenAtOnce = 1000
const pagesOfWalk = 300
const timesForEachFilter = 20
const limit = 50
const queue = { review: 'waiting', order: 'leastCertain' }

interface Filling {
  /** Writes an account's sessions. */
  readonly sessions: (accountId: string) => Promise<void>
  /** Adds another session. */
  readonly comeIn: (accountId: string) => Promise<void>
  readonly filters: readonly Readonly<Record<string, string>>[]
}

/**
 * Measures how long a signed-in operator waits in the console over HTTP, including cookie, role and validation: each page of a walk, each filter,
 * the review queue and the collections, while sessions keep coming in. Server and client share a process, and its memory is reported.
 */
export async function measureVisit(store: Store, filling: Filling): Promise<Record<string, number>> {
  const host = await startHost({ store })
  const { accountId } = host
  await filling.sessions(accountId)
  const filledMs = await timed(() => fillCollection(host, faces))
  const visitor = await signedInAs(host, 'owner', 'Ada')
  const firstListMs = await timed(() => ask(visitor, getSessions, { limit }))
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const walked = await walk(visitor, {}, () => filling.comeIn(accountId))
  const queued = await walk(visitor, queue, () => filling.comeIn(accountId))
  const filtered: number[] = []
  const collections: number[] = []
  for (let time = 0; time < timesForEachFilter; time++) {
    await filling.comeIn(accountId)
    for (const filter of filling.filters)
      filtered.push(await timed(() => ask(visitor, getSessions, { limit, ...filter })))
    collections.push(await timed(() => ask(visitor, getAllCollections, {})))
  }
  globalThis.gc?.()
  const residentGrowthBytes = process.memoryUsage().rss - before
  await host.close()
  return {
    listP95Ms: quantile(walked, 0.95),
    filterP95Ms: quantile(filtered, 0.95),
    queueP95Ms: quantile(queued, 0.95),
    collectionsP95Ms: quantile(collections, 0.95),
    firstListMs,
    filledMs,
    residentGrowthBytes,
  }
}

async function ask(visitor: ConsoleVisitor, endpoint: Endpoint, query: object) {
  const { status, body } = await visitor.ask(endpoint, query)
  if (status !== 200) throw new Error(`The console answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** The number of milliseconds that each page took. */
async function walk(visitor: ConsoleVisitor, query: object, comeIn: () => Promise<void>): Promise<number[]> {
  const taken: number[] = []
  let cursor: unknown = null
  for (let page = 0; page < pagesOfWalk; page++) {
    if (page % 5 === 0) await comeIn()
    const more = cursor === null ? {} : { cursor }
    const turn = async () => {
      cursor = (await ask(visitor, getSessions, { limit, ...query, ...more })).cursor
    }
    taken.push(await timed(turn))
  }
  return taken
}

/** Generated faces that are sealed like real ones. */
async function fillCollection({ accountId, services, store }: Host, many: number): Promise<void> {
  const { access } = services.recognition
  const collectionId = 'people'
  await access.change(accountId, collectionId, async (_, writer) => ({
    answer: undefined,
    change: writer.make(),
  }))
  const { place, record } = await access.use(accountId, collectionId, async (collection) => collection)
  const key = keyOfCollection(createKeyRing(Buffer.alloc(32, 7), 'EU'), accountId, record)
  const random = randomNumbers(1)
  const embedding = Float32Array.from({ length: embeddingLengths[embeddingModel] }, () => random() - 0.5)
  for (let i = 0; i < many; i += facesWrittenAtOnce) {
    const writes = Array.from({ length: facesWrittenAtOnce }, () => {
      embedding[i % embedding.length] = random() - 0.5
      return access.faceStore.writes.add(place, key, { externalId: null, embeddingModel, embedding }).writes
    })
    await store.commit(writes.flat(), [])
  }
}
