import type { Page, Request } from '@playwright/test'

/** The film that a page sent, by request. */
export interface Filmed {
  /** Average pictures per second within the requests; NaN before there are any. */
  perSecond(): number
  /** Longest gap between pictures, in milliseconds. */
  longestGap(): number
}

/** Records the times of all films that the page sends. */
export function watchFilm(page: Page): Filmed {
  const rolls: number[][] = []
  page.on('request', (request) => {
    const roll = timesIn(request)
    if (roll.length > 1) rolls.push(roll)
  })
  return {
    perSecond() {
      const seconds = rolls.reduce((all, roll) => all + (roll.at(-1)! - roll[0]!) / 1000, 0)
      return rolls.reduce((all, roll) => all + roll.length - 1, 0) / seconds
    },
    longestGap: () => Math.max(...rolls.flatMap((roll) => roll.slice(1).map((time, i) => time - roll[i]!))),
  }
}

function timesIn(request: Request): number[] {
  if (!/\/submit-(?:step|session)$/.test(request.url())) return []
  const { trail = [] } = request.postDataJSON() as { trail?: readonly { time: number }[] }
  return trail.map(({ time }) => time)
}
