import { Problem } from '#shared/problem.ts'

/** Thrown when an answer could not be had in time, though it may come later. */
export class Unsent extends Error {}

/** Seconds between one attempt and the next. */
const retryDelaysInSeconds = [1, 2, 4, 8] as const
const longestDelayInSeconds = 30

interface Persistence {
  sleep(seconds: number): Promise<void>
  online(): boolean
  /** Whether anybody still waits for the answer. */
  wanted(): boolean
}

/** Repeats what the network or a busy server kept from happening; every other problem is thrown at once. */
export async function persistently<T>(
  attempt: () => Promise<T>,
  { sleep, online, wanted }: Persistence,
): Promise<T> {
  for (const delay of [...retryDelaysInSeconds, null]) {
    try {
      return await attempt()
    } catch (error) {
      if (!isPassing(error)) throw error
      if (delay === null || !online()) break
      await sleep(waitOf(error, delay))
      if (!wanted()) break
    }
  }
  throw new Unsent('nothing could be sent')
}

/** Whether the same request may succeed a little later. The answer of a proxy is no word of the server's. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Problem) || error.isForeign) return true
  return error.status >= 500 || error.status === 408 || error.code === 'too_many_requests'
}

function waitOf(error: unknown, delay: number): number {
  const asked = error instanceof Problem ? error.retryAfterInSeconds : undefined
  return Math.min(longestDelayInSeconds, Math.max(delay, asked ?? 0))
}
