import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { begin } from './acted/scenario.ts'
import { sentBody } from './acted/sent-body.ts'
import { state } from './scenes/scene.ts'

/** Everything that a visitor can see and hear about a failure. */
export interface Refusal {
  readonly name: string
  /** The markup of every page from the sending screen on, in order. */
  readonly pages: readonly string[]
  readonly said: readonly string[]
  /** The time from the sending screen to the offer. */
  readonly milliseconds: number
}

/** Removes the person from the first try's pictures. A later try can correct this. */
export async function hideFirstTry(page: Page): Promise<void> {
  const grey = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer()
  await page.route('**/submit-session', (route) => {
    const body = sentBody(route.request().postDataBuffer()!) as { try?: number; frames: { bytes: string }[] }
    if (body.try !== 1) return route.fallback()
    const frames = body.frames.map((frame) => ({ ...frame, bytes: grey.toString('base64') }))
    const headers = { ...route.request().headers(), 'content-type': 'application/json' }
    return route.continue({ headers, postData: { ...body, frames } })
  })
}

interface Seen {
  readonly at: number
  readonly html: string
  readonly said: string
}

/** Goes from the consent to the screen with this selector, plus a second in which differences could still appear. */
export async function watchRefusal(page: Page, last: string): Promise<Refusal> {
  await page.evaluate((sending) => {
    const seen: Seen[] = []
    Object.assign(window, { seen })
    const look = () => {
      if (seen.length === 0 && document.querySelector(sending) === null) return
      const html = document.querySelector('#app')?.innerHTML ?? ''
      const said = document.querySelector('[aria-live="polite"]')?.textContent ?? ''
      seen.push({ at: performance.now(), html, said })
    }
    const whole = { subtree: true, childList: true, attributes: true, characterData: true }
    new MutationObserver(look).observe(document.body, whole)
  }, state('sending'))
  await begin(page)
  await page.locator(last).waitFor({ timeout: 60_000 })
  await page.waitForTimeout(1000)
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen)
  const name = /data-state="([^"]+)"/.exec(last)![1]!
  const offered = seen.find(({ html }) => html.includes(`data-state="${name}"`))!
  return {
    name,
    // Upload progress depends on the network, not on the verdict.
    pages: distinct(seen.map(({ html }) => html.replace(/ value="[^"]*"/g, ''))),
    said: distinct(seen.map(({ said }) => said.trim())),
    milliseconds: offered.at - seen[0]!.at,
  }
}

/** Removes consecutive duplicates. */
function distinct(texts: readonly string[]): string[] {
  return texts.filter((text, at) => text !== texts[at - 1])
}
