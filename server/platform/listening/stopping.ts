import type { ListeningServer } from './listening-server.ts'

/** Longer than a picture may take, and than both attempts of a webhook; shorter than most supervisors wait. */
const stopWithinMilliseconds = 25_000
/**
 * Longer than a network takes to load, or to look at one picture: so long at least, and up to so long on a busy machine, as far as a
 * supervisor that waits for half a minute leaves it.
 */
const threadsEndWithin = { least: 3_000, most: 10_000, ofAll: 28_000 } as const

interface Running {
  /** How long requests are taken as before, while `readyz` tells balancers to send no more. */
  readonly drainInMilliseconds: number
  readonly servers: readonly Pick<ListeningServer, 'finish' | 'cut'>[]
  /** Settles when nothing is under way that no request waits for. */
  settle(): Promise<void>
  endAnalysis(): Promise<void>
  /** Closes what everything else stands on. */
  close(): Promise<void>
}

/**
 * Waits until nobody sends any more, takes nothing new, lets requests under way and then the webhooks finish for a while, and closes the store. What
 * is not sent by then stands recorded, and the next start sends it.
 */
export async function stopInTime(running: Running): Promise<void> {
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

/** The store stands a kill. An orderly exit would have to wait for the networks, which may be loading just now. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** Whether the work was done in time. */
function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  const patience = new Promise<boolean>((over) => setTimeout(over, milliseconds, false).unref())
  return Promise.race([work.then(() => true), patience])
}
