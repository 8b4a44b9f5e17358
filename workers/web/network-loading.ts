import { modelOf } from '#models/networks/manifest.ts'
import type { ModelName } from '#models/networks/session.ts'
import type { NetworkLoading } from '../api.ts'
import { oneAtATime } from '../ort-session.ts'

/** The networks needed for guidance, in the order in which they are needed. */
const detector: ModelName = 'blazeface-short'
const guiding: readonly ModelName[] = [detector, 'facemesh', 'face-expression']
/** The minimum time between two progress reports in milliseconds, since pages do not update any faster. */
const reportGap = 100

type FetchWeights = (name: ModelName, options: { onBytes(bytes: number): void }) => Promise<Uint8Array>

/**
 * Creates the network loader. [Note: One after the other] If the files shared a slow connection, they would all arrive at the very end. Instead,
 * they are fetched in the order in which they are needed, so the first one is ready in time. While one is being opened, the next is fetched.
 */
export function createNetworkLoading<Network>(
  fetchWeights: FetchWeights,
  openSession: (weights: Uint8Array) => Promise<Network>,
) {
  const inTurn = oneAtATime()
  const received = new Map<ModelName, number>()
  const opened = new Set<ModelName>()
  const reports = new Set<() => void>()
  let reportedAt = 0
  const report = () => {
    for (const one of reports) one()
  }
  const onBytes = (name: ModelName) => (bytes: number) => {
    received.set(name, bytes)
    if (performance.now() - reportedAt < reportGap) return
    reportedAt = performance.now()
    report()
  }
  return {
    async open(name: ModelName): Promise<Network> {
      const weights = await inTurn(() => fetchWeights(name, { onBytes: onBytes(name) }))
      const session = await openSession(weights)
      opened.add(name)
      report()
      return session
    },
    /** Reports the progress of these networks, immediately and whenever bytes arrive, until the returned function is called. */
    watch(names: readonly ModelName[], onLoading: (loading: NetworkLoading) => void): () => void {
      const guides = guiding.filter((name) => names.includes(name))
      const totalBytes = guides.reduce((sum, name) => sum + modelOf(name).bytes, 0)
      const one = () => {
        const bytes = guides.reduce((sum, name) => sum + (received.get(name) ?? 0), 0)
        onLoading({ reached: levelOf(opened, names, guides), bytes, totalBytes })
      }
      reports.add(one)
      one()
      return () => reports.delete(one)
    },
  }
}

function levelOf(
  opened: ReadonlySet<ModelName>,
  names: readonly ModelName[],
  guides: readonly ModelName[],
): NetworkLoading['reached'] {
  const has = (name: ModelName) => opened.has(name)
  if (names.every(has)) return 'everything'
  if (guides.every(has)) return 'guidance'
  return has(detector) ? 'faces' : 'nothing'
}
