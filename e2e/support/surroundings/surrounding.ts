import type { Browser, BrowserContext, Page } from '@playwright/test'

/** A difficulty that a visit encounters, caused by its network, camera, browser or link. */
export interface Surrounding {
  readonly name: string
  readonly kind: 'network' | 'camera' | 'browser' | 'link'
  /** Parameters that the sender signs with the link. */
  readonly signed?: string
  /** Changes to the link on its way to the person. */
  readonly carry?: (link: string) => string
  /** Happens to the link before the person opens it. */
  readonly precede?: (browser: Browser, link: string) => Promise<void>
  /** The browser's languages, most wanted first; English by default. */
  readonly languages?: readonly string[]
  /** Starts before the page is opened. By then, the context already has an acted camera. */
  readonly surround?: (context: BrowserContext) => Promise<void>
  /** Happens to the page while it is open, and ends with the visit. */
  readonly happen?: (page: Page) => Promise<void>
  /** The name of the camera that the person chooses; by default, the next one. */
  readonly chosenCamera?: string
  /** The same difficulty from another moment on. Absent if it only occurs at its own. */
  readonly from?: (moment: Moment) => Surrounding
}

/** A visit's moments, in order, by the page's states. */
export const moments = ['consent', 'ready', 'align', 'hold', 'action', 'closing', 'sending'] as const
export type Moment = (typeof moments)[number]

/** Waits until the visit has reached this moment. A state may be too short to be seen, so any later one counts too. */
async function reached(page: Page, moment: Moment): Promise<void> {
  const states = moments.slice(moments.indexOf(moment)).map((state) => `[data-state="${state}"]`)
  await page.locator(states.join()).first().waitFor({ timeout: 90_000 })
}

/** A difficulty that a script causes from the beginning. */
export function scripted(kind: Surrounding['kind'], name: string, run: () => void): Surrounding {
  return {
    name,
    kind,
    async surround(context) {
      await context.addInitScript(run)
    },
  }
}

/** A difficulty that happens at this moment, or at another one. */
export function momentary(
  kind: Surrounding['kind'],
  name: string,
  moment: Moment,
  happen: (page: Page) => Promise<void>,
): Surrounding {
  return {
    name: `${name} from ${moment} on`,
    kind,
    async happen(page) {
      await reached(page, moment)
      await happen(page)
    },
    from: (other) => momentary(kind, name, other, happen),
  }
}

/** The button that a person presses on each screen, by state. */
const presses: Readonly<Record<string, string>> = {
  consent: '.actions button',
  ready: '.actions .primary',
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
export async function goOn(page: Page, isOver: () => boolean, chosenCamera?: string): Promise<void> {
  while (!isOver() && !page.isClosed()) {
    await pressOnce(page, chosenCamera).catch(() => undefined) // the page has moved on
    await page.waitForTimeout(200).catch(() => undefined)
  }
}

/** In the languages of the table. */
const otherCamera = /^(Use another camera|Andere Kamera nutzen)$/

async function pressOnce(page: Page, chosenCamera: string | RegExp = otherCamera): Promise<void> {
  if (page.url().startsWith('chrome-error:')) {
    // A person who sees the browser's own error page loads the page again.
    await page.waitForTimeout(2000)
    await page.reload()
    return
  }
  const { state, cause } = await whereIs(page)
  const press = presses[state]
  const other = page.getByRole('button', { name: chosenCamera })
  const mayChoose = ofOneCamera.has(cause) || state === 'starting' || state === 'asking'
  if (press !== undefined) await page.locator(press).first().click({ timeout: 1000 })
  else if (mayChoose && (await other.isVisible())) await other.click({ timeout: 1000 })
  else if (waitsForThem.has(state)) await page.locator('.actions .primary').first().click({ timeout: 1000 })
}

/** The page's state, and its cause if it has one. */
export async function whereIs(page: Page): Promise<{ state: string; cause: string }> {
  const shell = page.locator('[data-state]')
  const state = (await shell.getAttribute('data-state', { timeout: 2000 })) ?? ''
  const cause = (await shell.getAttribute('data-cause', { timeout: 500 })) ?? ''
  return { state, cause }
}

/** Every button that leads on from a screen, except for Leave, by its text. */
export async function waysOn(page: Page): Promise<string[]> {
  const ways = await page.locator('main button, main a[href]').allInnerTexts()
  return ways.map((way) => way.trim()).filter((way) => way !== '' && way !== 'Stop the check')
}
