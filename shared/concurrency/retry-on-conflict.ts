import { platform } from '../client/platform.ts'

const usualTries = 200
const atOnceTries = 3
const longestPauseInMilliseconds = 40

/**
 * Tries a commit again while it loses against another process (`attempt` answers undefined), after the third time with a
 * random pause between, so that of many that contend for one record each gets its turn.
 * @throws what `busy` makes where it loses every time
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
