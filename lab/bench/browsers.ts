import type { Browser } from '@playwright/test'
import { needFootage } from '#lab/footage.ts'
import { type Engine, engineNames } from '../../e2e/engines/driver/engine.ts'
import { openers } from '../../e2e/engines/driver/openers.ts'
import { missingOf } from '../../e2e/engines/driver/programs.ts'
import { begin, cameBack, press, until, visitMilliseconds } from '../../e2e/engines/person.ts'
import { type StagedSite, withStage } from '../../e2e/engines/staged-site.ts'
import { loadClip } from '../../e2e/support/acted/clips.ts'
import { createCheck, signLink } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'

const clipName = 'Krzysiek354_real.webm'

/** As much of a browser as is needed here: Playwright drives Chromium, the drivers of `e2e/engines` the others. */
type Driven = Pick<Engine, 'open' | 'run' | 'quit'>

/** What `/check-device` tells of its speed. */
interface Told {
  readonly speed: { readonly firstAnalysis: number; readonly medianPerPicture: number }
}

/**
 * `npm run bench -- browsers`: the first analysis and the time a picture takes, as `/check-device` measures them, and an acted Balanced visit
 * from its link to the way back; in each browser that is installed, one after the other.
 */
export async function benchBrowsers(): Promise<Record<string, number>> {
  needFootage(clipName)
  const chromium = await launchBrowser()
  try {
    const clip = await loadClip(chromium, clipName)
    const figures: Record<string, number> = {}
    const add = async (name: string, open: () => Promise<Driven>) => {
      // A scene that a product has seen is known to it: each browser has a product of its own.
      const measured = await withStage(clip, (site) => measure(open, site))
      for (const [figure, value] of Object.entries(measured)) figures[`${name}.${figure}`] = value
    }
    await add('chromium', () => driven(chromium))
    for (const name of engineNames) {
      const missing = missingOf(name)
      if (missing.length === 0) await add(name, openers[name])
      else console.log(`${name} is left out: ${missing.join(', ')} not installed`)
    }
    return figures
  } finally {
    await chromium.close()
  }
}

async function measure(open: () => Promise<Driven>, site: StagedSite): Promise<Record<string, number>> {
  const browser = await open()
  try {
    const { firstAnalysis, medianPerPicture } = await speedIn(browser, site)
    const visitMs = await visit(browser, site)
    return { msToFirstAnalysis: firstAnalysis, medianMsPerFrame: medianPerPicture, visitMs }
  } finally {
    await browser.quit()
  }
}

async function speedIn(browser: Driven, { stage }: StagedSite): Promise<Told['speed']> {
  await browser.open(`${stage.address}/check-device`)
  await press(browser, 'Measure with the camera')
  const look = () => browser.run(() => document.querySelector('textarea')?.value)
  const { speed } = JSON.parse(await until(browser, 'a report', look, visitMilliseconds)) as Told
  return speed
}

async function visit(browser: Driven, site: StagedSite): Promise<number> {
  const check = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const link = await signLink(site, check)
  const startedAt = Date.now()
  await browser.open(link)
  await begin(browser)
  const back = await cameBack(browser, site)
  if (back.pathname !== '/passed') throw new Error(`the visit did not pass: ${back}`)
  return Date.now() - startedAt
}

/** A phone's window of Chromium. What it runs is text, as with the other drivers: no policy of the page is in its way. */
async function driven(chromium: Browser): Promise<Driven> {
  const context = await chromium.newContext({
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  return {
    open: async (address) => void (await page.goto(address)),
    run: (work, ...given) => page.evaluate(`(${work})(...${JSON.stringify(given)})`),
    quit: () => context.close(),
  }
}
