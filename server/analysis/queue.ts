import { Problem } from '#shared/problem.ts'

interface Waiting<J> {
  job: J
  signal: AbortSignal
  start: (job: J) => void
}

/** Jobs that wait for a worker, in the order they came; bounded. Who hangs up leaves the queue. */
export interface JobQueue<J> {
  /** Answers when the job's turn has come. @throws {Problem} overloaded when the queue is full */
  join(job: J, signal: AbortSignal): Promise<J>
  /** Calls the next one, if any. */
  next(): boolean
}

export function createJobQueue<J>(limit: number): JobQueue<J> {
  const waiting = new Set<Waiting<J>>()

  return {
    join(job, signal) {
      if (waiting.size >= limit) {
        throw new Problem('overloaded', 'The server is busy. Try again shortly.', { retryAfterInSeconds: 2 })
      }
      return new Promise((start, leave) => {
        const place = { job, signal, start }
        signal.throwIfAborted()
        signal.addEventListener(
          'abort',
          () => {
            if (waiting.delete(place)) leave(signal.reason)
          },
          { once: true },
        )
        waiting.add(place)
      })
    },
    next() {
      const [first] = waiting
      if (first === undefined) return false
      waiting.delete(first)
      first.start(first.job)
      return true
    },
  }
}
