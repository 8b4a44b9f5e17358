import { Problem } from '#shared/problem.ts'

/** Thrown if no answer arrived in time, although one may still come later. */
export class UnsentError extends Error {}

/** Delays between attempts, in seconds. */
const retryDelaysInSeconds = [1, 2, 4, 8] as const
const longestDelayInSeconds = 30

interface Persistence {
  sleep(seconds: number): Promise<void>
  online(): boolean
  /** True while the answer is still needed. */
  wanted(): boolean
}

/** Retries after network errors and while the server is busy. All other problems are thrown immediately. */
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
  throw new UnsentError('nothing could be sent')
}

/** True if the same request might succeed a little later. A proxy's refusal says nothing about the server. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Problem) || error.isForeign) return true
  return error.status >= 500 || error.status === 408 || error.code === 'too_many_requests'
}

function waitOf(error: unknown, delay: number): number {
  const asked = error instanceof Problem ? error.retryAfterInSeconds : undefined
  return Math.min(longestDelayInSeconds, Math.max(delay, asked ?? 0))
}
