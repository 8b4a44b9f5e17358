import { platform } from '../client/platform.ts'

const usualTries = 200
const atOnceTries = 3
const longestPauseInMilliseconds = 40

/**
 * Retries a commit as long as it loses to another process (`attempt` returns undefined). After the third attempt, it waits a random time between
 * attempts, so that processes competing for the same record all get their turn.
 * @throws the error from `busy` if every attempt loses
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T | undefined>,
  busy: () => Error,
  mostTries = usualTries,
): Promise<T> {
  for (let tries = 0; tries < mostTries; tries++) {
    const result = await attempt()
    if (result !== undefined) return result
    if (tries >= atOnceTries) await pause(Math.random() * Math.min(2 ** tries, longestPauseInMilliseconds))
  }
  throw busy()
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((over) => void platform.setTimeout(over, milliseconds))
}
