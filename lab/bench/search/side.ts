import { blocksOf } from './gallery.ts'
import type { Rival, RivalMatch } from './rival.ts'
import { type RivalName, rivals } from './rivals.ts'

/** Instructions for a rival, which runs in its own process so that its memory can be measured. */
export interface Order {
  readonly rival: RivalName
  readonly file: string
  readonly length: number
  readonly size: number
  readonly threads: number
  /** All queries are run once per score. */
  readonly scores: readonly number[]
  readonly queries: readonly Float32Array[]
  /** For each score, no query is started after this time, but the first ones are always answered. */
  readonly milliseconds: number
  /** A rival that would take longer to fill is skipped, but the product never is. */
  readonly insertMilliseconds: number
}

/** How long it is estimated to take to fill the index. */
export interface LeftOut {
  readonly wouldTakeMs: number
}

export interface SideFigures {
  readonly insertMs: number
  /** How much the process's memory grew. */
  readonly bytes: number
  /** One per score. */
  readonly rounds: readonly Round[]
}

export interface Round {
  /** One value per query, for as many as there was time for. The first ones warm up and run a second time. */
  readonly queryMs: readonly number[]
  readonly found: readonly (RivalMatch | undefined)[]
}

const warmUp = 20
/** The total time is estimated after this fraction of the work. */
const judgedAfter = 20
/** These are run even after the time is up. */
const fewestQueries = 20

process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void run(order).then((answered) => process.send!(answered)))

async function run(order: Order): Promise<SideFigures | LeftOut> {
  const { length, size, threads } = order
  const before = resident()
  const rival = await rivals[order.rival].open({ length, size, threads })
  const insertMs = await insert(rival, order)
  if (typeof insertMs !== 'number') return insertMs
  const bytes = resident() - before
  const rounds: Round[] = []
  for (const score of order.scores) rounds.push(await search(rival, order, score))
  await rival.close?.()
  return { insertMs, bytes, rounds }
}

/** The time for reading the file does not count. */
async function insert(rival: Rival, order: Order): Promise<number | LeftOut> {
  const { file, length, size, insertMilliseconds } = order
  let [first, milliseconds] = [0, 0]
  for await (const faces of blocksOf(file, length, size)) {
    const start = performance.now()
    await rival.insert(faces, first)
    milliseconds += performance.now() - start
    first += faces.length / length
    const wouldTakeMs = (milliseconds * size) / first
    if (first >= size / judgedAfter && wouldTakeMs > insertMilliseconds) return { wouldTakeMs }
  }
  const start = performance.now()
  await rival.settle?.()
  return milliseconds + performance.now() - start
}

async function search(rival: Rival, { queries, milliseconds }: Order, score: number): Promise<Round> {
  const until = performance.now() + milliseconds
  for (const query of queries.slice(0, warmUp)) {
    if (performance.now() < until) await rival.closest(query, score)
  }
  const queryMs: number[] = []
  const found: (RivalMatch | undefined)[] = []
  for (const query of queries) {
    if (queryMs.length >= fewestQueries && performance.now() > until) break
    const start = performance.now()
    found.push(await rival.closest(query, score))
    queryMs.push(performance.now() - start)
  }
  return { queryMs, found }
}

/** The process's resident memory, without caches that the system may drop. */
function resident(): number {
  ;(globalThis as { gc?: () => void }).gc?.()
  return process.memoryUsage.rss()
}
