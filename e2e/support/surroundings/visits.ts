import type { Browser, Page } from '@playwright/test'
import { installActor } from '../acted/actor.ts'
import type { Clip } from '../acted/clips.ts'
import { comeBack, type Outcome, type VisitedSite } from '../acted/scenario.ts'
import { goOn, type Surrounding } from './surrounding.ts'

/** Opens a link under all of these conditions, with an acted camera. The caller closes the context. */
export async function openAmid(
  browser: Browser,
  link: string,
  clip: Clip,
  met: readonly Surrounding[],
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' })
  await installActor(context, clip, { manner: 'asked' })
  for (const { surround } of met) await surround?.(context)
  const page = await context.newPage()
  await page.goto(link)
  return page
}

/** Makes one visit under all of these conditions. The person reads each screen and continues. */
export async function visitAmid(
  site: VisitedSite,
  browser: Browser,
  link: string,
  clip: Clip,
  met: readonly Surrounding[],
  mostMilliseconds = 120_000,
): Promise<Outcome> {
  const page = await openAmid(browser, link, clip, met)
  let isOver = false
  try {
    for (const { happen } of met) happen?.(page).catch(() => undefined) // the visit ended first
    void goOn(page, () => isOver || page.url().startsWith(site.receiver.address))
    return await comeBack(site, page, mostMilliseconds)
  } finally {
    isOver = true
    await page.context().close()
  }
}
