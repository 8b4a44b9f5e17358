import type { ListeningServer } from './listening-server.ts'

/** Longer than a picture or both attempts at a webhook take, and shorter than most supervisors wait. */
const stopWithinMilliseconds = 25_000
/**
 * Longer than it takes a network to load or to process one picture. Waits at least `least` and, on a busy machine, up to
 * `most`, as long as the whole shutdown fits into the half minute that supervisors usually allow.
 */
const threadsEndWithin = { least: 3_000, most: 10_000, ofAll: 28_000 } as const

interface RunningServer {
  /** How long requests are still accepted while `readyz` tells load balancers to stop sending them. */
  readonly drainInMilliseconds: number
  readonly servers: readonly Pick<ListeningServer, 'finish' | 'cut'>[]
  /** Resolves when there is no background work left. */
  settle(): Promise<void>
  endAnalysis(): Promise<void>
  /** Closes the store and everything else that requests depend on. */
  close(): Promise<void>
}

/**
 * Waits until load balancers stop sending requests, stops accepting, gives requests and then webhooks some time to finish,
 * and closes the store. Undelivered webhooks are recorded, and the next start sends them.
 */
export async function stopInTime(running: RunningServer): Promise<void> {
  const { drainInMilliseconds, servers, settle, endAnalysis, close } = running
  if (drainInMilliseconds > 0) await new Promise((over) => setTimeout(over, drainInMilliseconds))
  const began = Date.now()
  const finished = Promise.all(servers.map((server) => server.finish())).then(settle)
  await within(stopWithinMilliseconds, finished)
  for (const server of servers) server.cut()
  const { least, most, ofAll } = threadsEndWithin
  const left = Math.min(most, Math.max(least, ofAll - (Date.now() - began)))
  const hasEnded = await within(left, endAnalysis())
  await close()
  if (!hasEnded) return endAtOnce()
  process.exit(0)
}

/** The store survives a kill. An orderly exit would have to wait for networks that may still be loading. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  const patience = new Promise<boolean>((over) => setTimeout(over, milliseconds, false).unref())
  return Promise.race([work.then(() => true), patience])
}
