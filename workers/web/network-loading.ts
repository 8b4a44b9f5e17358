import { modelOf } from '#models/manifest.ts'
import type { ModelName } from '#models/networks/session.ts'
import type { NetworkLoading } from '../api.ts'
import { oneAtATime } from '../ort-session.ts'

/** The networks for guidance, in the order of need. */
const detector: ModelName = 'blazeface-short'
const guiding: readonly ModelName[] = [detector, 'facemesh', 'face-expression']
/** Milliseconds between two progress reports, since pages update no faster. */
const reportGap = 100

type FetchWeights = (name: ModelName, options: { onBytes(bytes: number): void }) => Promise<Uint8Array>

/**
 * Creates the loader of networks. [Note: One after the other] Files that share a slow connection would all arrive at its
 * end. Fetched in the order of need, the first one is available when it is needed. The next is fetched while the previous
 * one is being opened.
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
    /** Reports the progress of these networks, now and as bytes arrive, until the returned function is called. */
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
