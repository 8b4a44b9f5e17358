import type { BrowserContext, Page } from '@playwright/test'
import type { Place } from './place.ts'

/** What stood on the page at a moment, and what the acted person did. */
export interface Moment {
  /** Milliseconds since the page was opened. */
  readonly at: number
  readonly state: string
  /** Null while none is asked. */
  readonly step: string | null
  readonly heading: string
  readonly hint: string | null
  /** The seconds that the clock says; null where there is none. */
  readonly seconds: number | null
  readonly isStraight: boolean
  /** Absent where the clip decides it. */
  readonly place?: Place
}

declare global {
  interface Window {
    moments: Moment[]
  }
}

const everyMilliseconds = 50

/** From now on every page notes what stands on it, twenty times a second where the device keeps up. */
export async function watchScreens(context: BrowserContext): Promise<void> {
  await context.addInitScript(witness, everyMilliseconds)
}

/** What was noted on the page since it was opened, in order. */
export function seenOn(page: Page): Promise<Moment[]> {
  return page.evaluate(() => window.moments)
}

/** Runs in the page, before anything else but the actor. */
function witness(every: number): void {
  window.moments = []
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? ''
  setInterval(() => {
    const root = document.querySelector<HTMLElement>('[data-state]')
    if (root === null) return
    const seconds = /\d+/.exec(text('.clock'))
    window.moments.push({
      at: performance.now(),
      state: root.dataset.state!,
      step: root.dataset.step ?? null,
      heading: text('h1'),
      hint: document.querySelector<HTMLElement>('.hint')?.dataset.hint ?? null,
      seconds: seconds === null ? null : Number(seconds[0]),
      isStraight: window.actor.isStraight(),
      ...(window.place && { place: { ...window.place } }),
    })
  }, every)
}

/** Moments that follow each other and are alike in what `of` reads. */
export function runsOf(moments: readonly Moment[], of: (moment: Moment) => string): Moment[][] {
  const runs: Moment[][] = []
  for (const moment of moments) {
    const last = runs.at(-1)
    if (last !== undefined && of(last[0]!) === of(moment)) last.push(moment)
    else runs.push([moment])
  }
  return runs
}
