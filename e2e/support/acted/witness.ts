import type { BrowserContext, Page } from '@playwright/test'
import type { Place } from './place.ts'

/** The state of the page and the acted person at one moment. */
export interface Moment {
  /** Milliseconds since the page was opened. */
  readonly at: number
  readonly state: string
  /** Null while no action is requested. */
  readonly step: string | null
  readonly heading: string
  readonly hint: string | null
  /** The remaining seconds on display; null if there are none. */
  readonly seconds: number | null
  readonly isStraight: boolean
  /** Absent if the clip determines it. */
  readonly place?: Place
}

declare global {
  interface Window {
    moments: Moment[]
  }
}

const everyMilliseconds = 50

/** Records the state of every page twenty times per second, if the device can keep up. */
export async function watchScreens(context: BrowserContext): Promise<void> {
  await context.addInitScript(witness, everyMilliseconds)
}

/** The records since the page was opened, in order. */
export function seenOn(page: Page): Promise<Moment[]> {
  return page.evaluate(() => window.moments)
}

/** Runs in the page, after the actor and before anything else. */
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

/** Groups consecutive moments for which `of` returns the same value. */
export function runsOf(moments: readonly Moment[], of: (moment: Moment) => string): Moment[][] {
  const runs: Moment[][] = []
  for (const moment of moments) {
    const last = runs.at(-1)
    if (last !== undefined && of(last[0]!) === of(moment)) last.push(moment)
    else runs.push([moment])
  }
  return runs
}
