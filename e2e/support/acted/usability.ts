import type { Page } from '@playwright/test'

/** The minimum width and height of a target in pixels, according to WCAG 2.2 (2.5.8). */
const leastTarget = 24

/** More than three flashes per second can cause seizures: WCAG 2.3.1. */
const leastMillisecondsOfAChange = 334

const controls = 'button, a[href], input, summary'

/** Expands collapsed parts, which must comply with all the rules too. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
}

/**
 * Walks through a screen that has just opened with the Tab key. The heading has the focus first, each control receives it
 * once, and the focus stays visible and inside the window.
 */
export async function focusFaultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  const first = await page.evaluate(() => document.activeElement?.tagName)
  if (first !== 'H1') faults.push(`the focus starts at ${first}`)
  await unfold(page)
  const count = await page.locator(controls).count()
  const reached = new Set<number>()
  for (let index = 0; index < count * 2 && reached.size < count; index++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate((selector) => {
      const element = document.activeElement as HTMLElement
      const { top, bottom, left, right } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      return {
        index: [...document.querySelectorAll(selector)].indexOf(element),
        name: element.innerText,
        outlined: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
        inWindow: top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1,
      }
    }, controls)
    if (at.index < 0) continue
    reached.add(at.index)
    if (!at.outlined) faults.push(`the focus is not visible on ${at.name}`)
    if (!at.inWindow) faults.push(`the focus is outside the window on ${at.name}`)
  }
  if (reached.size < count) faults.push(`${count - reached.size} of ${count} controls are not reached`)
  return faults
}

/** Controls that are too small. Links within text may be as high as their line. */
export async function smallTargetsOf(page: Page): Promise<string[]> {
  await unfold(page)
  const targets = page.locator(controls)
  return targets.evaluateAll(
    (elements, least) =>
      elements
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width < least || box.height < least)
        .map(({ element, box }) => `small: ${element.textContent} (${box.width} x ${box.height})`),
    leastTarget,
  )
}

/** Animations that repeat too fast. */
export async function flashesOf(page: Page): Promise<string[]> {
  return page.evaluate(
    (least) =>
      document.getAnimations().flatMap((animation) => {
        const { duration, iterations } = animation.effect!.getTiming()
        const stops = (animation.effect as KeyframeEffect).getKeyframes().length
        const each = Number(duration) / Math.max(1, stops - 1)
        return iterations !== 1 && each < least ? [`changes every ${each} ms`] : []
      }),
    leastMillisecondsOfAChange,
  )
}

/** A live region's announcement, with its time in milliseconds since the page was opened. */
export interface Heard {
  readonly text: string
  readonly at: number
}

declare global {
  interface Window {
    heard: Heard[]
  }
}

/** Records all live region announcements on every page, in order. */
export async function watchVoices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.heard = []
    const note = (mutation: MutationRecord) => {
      const region = (mutation.target.parentElement ?? mutation.target) as Element
      const text = mutation.target.textContent?.trim() ?? ''
      if (region.closest?.('[aria-live="polite"], [aria-live="assertive"]') && text !== '')
        window.heard.push({ text, at: performance.now() })
    }
    new MutationObserver((mutations) => mutations.forEach(note)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
}

/** The announcements since the page was opened, read after enough time for one to be repeated. */
export async function heardOn(page: Page): Promise<string[]> {
  await page.waitForFunction(() => performance.now() - (window.heard[0]?.at ?? 0) > 600)
  return page.evaluate(() => window.heard.map(({ text }) => text))
}
