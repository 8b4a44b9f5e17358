import type { BrowserContext, Page } from '@playwright/test'

/** A difficulty that a visit encounters, caused by its network, camera or browser. */
export interface Surrounding {
  readonly name: string
  /** Starts before the page is opened. By then, the context already has an acted camera. */
  readonly surround?: (context: BrowserContext) => Promise<void>
  /** Happens to the page while it is open, and ends with the visit. */
  readonly happen?: (page: Page) => Promise<void>
}

/** The button that a person presses on each screen, by state. */
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

/** Acts like a person until they leave the page or `isOver`: presses the main button, or switches cameras if one shows nothing. */
export async function goOn(page: Page, isOver: () => boolean): Promise<void> {
  while (!isOver() && !page.isClosed()) {
    await pressOnce(page).catch(() => undefined) // the page has moved on
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

/** Every button that leads on from a screen, except for Leave, by its text. */
export async function waysOn(page: Page): Promise<string[]> {
  const ways = await page.locator('main button, main a[href]').allInnerTexts()
  return ways.map((way) => way.trim()).filter((way) => way !== '' && way !== 'Stop the check')
}
