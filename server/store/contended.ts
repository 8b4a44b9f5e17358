const mostTries = 200
const atOnceTries = 3
const longestPauseInMilliseconds = 40

/**
 * Tries a commit that loses against another process as often as it takes, after the third time with a pause of chance
 * between: of many that contend for one record each gets its turn.
 * @throws what `busy` makes where that never happens
 */
export async function contended<T>(attempt: () => Promise<T | undefined>, busy: () => Error): Promise<T> {
  for (let tries = 0; tries < mostTries; tries++) {
    const result = await attempt()
    if (result !== undefined) return result
    if (tries >= atOnceTries) await pause(Math.random() * Math.min(2 ** tries, longestPauseInMilliseconds))
  }
  throw busy()
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((over) => setTimeout(over, milliseconds))
}
