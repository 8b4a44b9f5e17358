import type { Page, Request } from '@playwright/test'
import { sentBody } from './sent-body.ts'

/** The film that a page sent, per request. */
export interface Filmed {
  /** The average number of pictures per second within the requests; NaN before there are any. */
  perSecond(): number
  /** The longest gap between two pictures, in milliseconds. */
  longestGap(): number
}

/** Records the times of every film that the page sends. */
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
  if (!/\/submit-(?:step|session|pictures)$/.test(request.url())) return []
  const { trail = [] } = sentBody(request.postDataBuffer()!) as { trail?: readonly { time: number }[] }
  return trail.map(({ time }) => time)
}
