import type { Browser } from '@playwright/test'
import { needFootage } from '#lab/footage.ts'
import { type Engine, type EngineName, engineNames } from '../../e2e/engines/driver/engine.ts'
import { openers } from '../../e2e/engines/driver/openers.ts'
import { missingOf } from '../../e2e/engines/driver/programs.ts'
import { begin, cameBack, press, until, visitMilliseconds } from '../../e2e/engines/person.ts'
import { type StagedSite, withStage } from '../../e2e/engines/staged-site.ts'
import { loadClip } from '../../e2e/support/acted/clips.ts'
import { createCheck, signLink } from '../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import type { DeviceFacts, Speed } from '../../shared/browsers/device-report.ts'
import { speedFigures } from './device.ts'

const clipName = 'Krzysiek354_real.webm'

/** The part of a browser that this bench uses. Playwright drives Chromium, and the drivers in `e2e/engines` drive the others. */
type DrivenBrowser = Pick<Engine, 'open' | 'run' | 'quit'>

/**
 * `npm run bench -- browsers`: for each installed browser, one after another, measures the first analysis and the time per picture and stage in the
 * same way as `/check-device`, and an acted Balanced visit from its link to the return to the site.
 */
export async function benchBrowsers(): Promise<Record<string, number>> {
  needFootage(clipName)
  const chromium = await launchBrowser()
  try {
    const clip = await loadClip(chromium, clipName)
    const figures: Record<string, number> = {}
    const add = async (name: string, open: () => Promise<DrivenBrowser>) => {
      // The product remembers the scenes it has seen, so each browser gets a fresh instance.
      const measured = await withStage(clip, (site) => measure(open, site))
      console.log(name, JSON.stringify(measured))
      for (const [figure, value] of Object.entries(measured)) figures[`${name}.${figure}`] = value
    }
    await add('chromium', () => driven(chromium))
    for (const name of engineNames) {
      const missing = missingOf(name)
      if (missing.length === 0) await add(name, () => asPhone(name))
      else console.log(`${name} is skipped: ${missing.join(', ')} not installed`)
    }
    return figures
  } finally {
    await chromium.close()
  }
}

async function measure(
  open: () => Promise<DrivenBrowser>,
  site: StagedSite,
): Promise<Record<string, number>> {
  const browser = await open()
  try {
    const figures = speedFigures(await speedIn(browser, site))
    return { ...figures, ...(await visit(browser, site)) }
  } finally {
    await browser.quit()
  }
}

async function speedIn(browser: DrivenBrowser, { stage }: StagedSite): Promise<Speed> {
  await browser.open(`${stage.address}/check-device`)
  await press(browser, 'Measure with the camera')
  const look = () => browser.run(() => document.querySelector('textarea')?.value)
  const { speed } = JSON.parse(await until(browser, 'a report', look, visitMilliseconds)) as DeviceFacts
  return speed!
}

/** How long a visit takes. Throws with the reason if it did not pass. */
async function visit(browser: DrivenBrowser, site: StagedSite): Promise<Record<string, number>> {
  const check = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const link = await signLink(site, check)
  const startedAt = Date.now()
  await browser.open(link)
  await begin(browser)
  const back = await cameBack(browser, site)
  if (back.pathname === '/passed') return { visitsPassed: 1, visitMs: Date.now() - startedAt }
  console.log(`a visit did not pass: ${back.searchParams.get('reFailedReason')}`)
  return { visitsPassed: 0 }
}

const phone = { width: 390, height: 844 } as const

async function asPhone(name: EngineName): Promise<DrivenBrowser> {
  const engine = await openers[name]()
  await engine.resize(phone.width, phone.height)
  return engine
}

/** Chromium with a phone-sized window. Like the other drivers, it evaluates scripts as text, so the page's policy does not block them. */
async function driven(chromium: Browser): Promise<DrivenBrowser> {
  const context = await chromium.newContext({
    viewport: phone,
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  return {
    open: async (address) => void (await page.goto(address)),
    run: (work, ...given) => page.evaluate(`(${work})(...${JSON.stringify(given)})`),
    quit: () => context.close(),
  }
}
