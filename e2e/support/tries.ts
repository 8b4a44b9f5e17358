import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { begin } from './acted/scenario.ts'
import { sentBody } from './acted/sent-body.ts'
import { state } from './scenes/scene.ts'

/** What a visitor could see and hear of a refusal. */
export interface Refusal {
  readonly name: string
  /** Every page that was shown from sending on, as markup, one after the other. */
  readonly pages: readonly string[]
  readonly said: readonly string[]
  /** From the sending screen to the offer. */
  readonly milliseconds: number
}

/** Nobody is in the pictures that the first try sends: a later one can mend that. */
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

/** From the consent to the screen of this selector, and a second more in which something could still differ. */
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
    // How much has gone out is told by the network, not by the verdict.
    pages: distinct(seen.map(({ html }) => html.replace(/ value="[^"]*"/g, ''))),
    said: distinct(seen.map(({ said }) => said.trim())),
    milliseconds: offered.at - seen[0]!.at,
  }
}

/** Without what merely stays. */
function distinct(texts: readonly string[]): string[] {
  return texts.filter((text, at) => text !== texts[at - 1])
}
