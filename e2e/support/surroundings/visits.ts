import type { Browser, Page } from '@playwright/test'
import { installActor } from '../acted/actor.ts'
import type { Clip } from '../acted/clips.ts'
import { comeBack, type Outcome, signLink, type VisitedSite } from '../acted/scenario.ts'
import { goOn, type Surrounding, whereIs } from './surrounding.ts'

/** Signs a link with what its sender asks for. */
export function linkAmid(site: VisitedSite, id: string, met: readonly Surrounding[]): Promise<string> {
  return signLink(site, id, met.map(({ signed = '' }) => signed).join(''))
}

/** Opens a link under all of these conditions, with an acted camera. The caller closes the context. */
export async function openAmid(
  browser: Browser,
  link: string,
  clip: Clip,
  met: readonly Surrounding[],
): Promise<Page> {
  const viewport = { width: 390, height: 844 }
  const languages = met.flatMap((one) => one.languages ?? [])
  const locale = languages[0] ?? 'en-US'
  const context = await browser.newContext({ viewport, locale, serviceWorkers: 'block' })
  if (languages.length > 1) await context.addInitScript(speakLanguages, languages)
  await installActor(context, clip, { manner: 'asked' })
  for (const { precede } of met) await precede?.(browser, link)
  for (const { surround } of met) await surround?.(context)
  const page = await context.newPage()
  await page.goto(met.reduce((carried, { carry }) => carry?.(carried) ?? carried, link))
  return page
}

/** Runs in the page. Playwright only sets a single language. */
function speakLanguages(languages: readonly string[]): void {
  Object.defineProperty(navigator, 'languages', { value: languages })
}

/** Options of a visit. */
interface VisitOptions {
  readonly mostMilliseconds?: number
  /** Runs once the first screen is there. */
  readonly onFirstScreen?: (page: Page) => Promise<void>
}

/** Makes one visit under all of these conditions. The person reads each screen and continues. @throws {Error} that names the screen the person is stuck at */
export async function visitAmid(
  site: VisitedSite,
  browser: Browser,
  link: string,
  clip: Clip,
  met: readonly Surrounding[],
  { mostMilliseconds = 150_000, onFirstScreen }: VisitOptions = {},
): Promise<Outcome> {
  const page = await openAmid(browser, link, clip, met)
  let isOver = false
  try {
    await onFirstScreen?.(page)
    for (const { happen } of met) happen?.(page).catch(() => undefined) // the visit ended first
    const chosen = met.flatMap(({ chosenCamera = [] }) => chosenCamera)[0]
    void goOn(page, () => isOver || page.url().startsWith(site.receiver.address), chosen)
    return await comeBack(site, page, mostMilliseconds).catch(async (error) => {
      throw new Error(`stuck at ${await screenOf(page)}`, { cause: error })
    })
  } finally {
    isOver = true
    await page.context().close()
  }
}

/** The screen's state, cause and heading. */
async function screenOf(page: Page): Promise<string> {
  const { state, cause } = await whereIs(page).catch(() => ({ state: 'no screen', cause: '' }))
  const heading = await page
    .locator('h1')
    .first()
    .innerText({ timeout: 1000 })
    .catch(() => page.url())
  return `${state} ${cause} “${heading}”`
}
