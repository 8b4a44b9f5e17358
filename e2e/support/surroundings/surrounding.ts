import type { BrowserContext, Page } from '@playwright/test'

/** Something that a visit meets on its way: of its network, its camera or its browser. */
export interface Surrounding {
  readonly name: string
  /** Begins before the page is opened; the camera of the context is an acted one already. */
  readonly surround?: (context: BrowserContext) => Promise<void>
  /** Happens to the page while it is open; ends with the visit. */
  readonly happen?: (page: Page) => Promise<void>
}

/** The button that a person presses on a screen, by its state. */
const presses: Readonly<Record<string, string>> = {
  consent: 'Agree and continue',
  ready: 'Start camera',
}
const waitsForThem: ReadonlySet<string> = new Set([
  'cameraProblem',
  'linkProblem',
  'retake',
  'furtherTry',
  'paused',
  'passed',
  'notCompleted',
])
const ofOneCamera: ReadonlySet<string> = new Set([
  'noPicture',
  'smallPicture',
  'inUse',
  'stopped',
  'noCamera',
])

/** Acts as a person does, until the page is left or `isOver`: presses the first way on, or takes another camera if one shows nothing. */
export async function goOn(page: Page, isOver: () => boolean): Promise<void> {
  while (!isOver() && !page.isClosed()) {
    await pressOnce(page).catch(() => undefined) // the page went on meanwhile
    await page.waitForTimeout(200).catch(() => undefined)
  }
}

async function pressOnce(page: Page): Promise<void> {
  const shell = page.locator('[data-state]')
  const name = (await shell.getAttribute('data-state', { timeout: 2000 })) ?? ''
  const cause = (await shell.getAttribute('data-cause', { timeout: 500 })) ?? ''
  const press = presses[name]
  const other = page.getByRole('button', { name: 'Use another camera' })
  if (press !== undefined) await page.getByRole('button', { name: press }).click({ timeout: 1000 })
  else if ((ofOneCamera.has(cause) || name === 'starting') && (await other.isVisible()))
    await other.click({ timeout: 1000 })
  else if (waitsForThem.has(name)) await page.locator('.actions .primary').first().click({ timeout: 1000 })
}

/** Everything but Leave that leads on from a screen, by its words. */
export async function waysOn(page: Page): Promise<string[]> {
  const ways = await page.locator('main button, main a[href]').allInnerTexts()
  return ways.map((way) => way.trim()).filter((way) => way !== '' && way !== 'Leave')
}
