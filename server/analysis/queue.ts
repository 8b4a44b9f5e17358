import { Problem } from '#shared/problem.ts'

/** Those who wait for something, in the order they came; bounded. Who hangs up leaves the queue. */
export interface Queue<T> {
  /** Answers what is given when the turn has come. @throws {Problem} overloaded when the queue is full */
  join(signal: AbortSignal): Promise<T>
  /** Hands something straight to the first one; answers whether anybody was there to take it. */
  give(item: T): boolean
}

export function createQueue<T>(limit: number): Queue<T> {
  const waiting = new Set<(item: T) => void>()

  return {
    async join(signal) {
      if (waiting.size >= limit) {
        throw new Problem('overloaded', 'The server is busy. Try again shortly.', { retryAfterInSeconds: 2 })
      }
      return new Promise((done, fail) => {
        const take = (item: T) => {
          signal.removeEventListener('abort', leave)
          done(item)
        }
        const leave = () => {
          waiting.delete(take)
          fail(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.add(take)
      })
    },
    give(item) {
      const [take] = waiting
      if (take === undefined) return false
      waiting.delete(take)
      take(item)
      return true
    },
  }
}
