import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const everyMilliseconds = 10
const mostSilenceInMilliseconds = 60_000

/** The timing of a single health check. */
export interface HealthCheck {
  /** When it was due, in milliseconds since 1970. */
  readonly askedAt: number
  /** Milliseconds from when it was due until the end of the answer. */
  readonly took: number
}

/**
 * A thread that requests a server's health 100 times per second, even if earlier answers are still pending, and reports each check. It is a separate
 * thread because the bench itself parses large answers. If a check was due while this thread could not run, it is timed from when it was due.
 */
if (parentPort !== null) {
  const port = parentPort
  const { origin } = workerData as { origin: string }
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const ask = (askedAt: number) => {
    const request = get(`${origin}/v1/healthz`, { agent, timeout: mostSilenceInMilliseconds }, (answer) => {
      answer.resume().once('end', () => {
        port.postMessage({ askedAt, took: now() - askedAt } satisfies HealthCheck)
      })
    })
    request.on('error', (error) => {
      throw error
    })
  }
  // Fractions of a millisecond matter if the p99 is only one or two.
  const now = () => performance.timeOrigin + performance.now()
  let due = now()
  const tick = () => {
    for (; due <= now(); due += everyMilliseconds) ask(due)
    setTimeout(tick, Math.max(0, due - now()))
  }
  tick()
}
