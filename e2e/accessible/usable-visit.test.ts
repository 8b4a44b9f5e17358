import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { installActor } from '../support/acted/actor.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { comeBack, createCheck, type Outcome, type Site, signLink } from '../support/acted/scenario.ts'
import { type Heard, watchVoices } from '../support/acted/usability.ts'
import { expect, test } from '../support/fixture.ts'
import { isLong, long } from '../support/length.ts'

test.skip(!hasFootage, 'needs the footage of ../shared/data')

/** Enough for a complete visit on a busy machine, including the time to read the footage before the first one. */

/** Observations of a page from the first screen to the last. */
interface Diary {
  /** The states with their times, and which element had the focus first. */
  readonly screens: { name: string; at: number; focus: string }[]
  readonly movements: string[]
  readonly heard: readonly Heard[]
}

declare global {
  interface Window {
    diary: Omit<Diary, 'heard'>
  }
}

/** Records each screen, its focus, and every movement. */
async function keepDiary(page: Page): Promise<void> {
  await watchVoices(page)
  await page.addInitScript(() => {
    window.diary = { screens: [], movements: [] }
    const note = (name: string) => {
      const focus = document.activeElement?.tagName ?? 'nothing'
      window.diary.screens.push({ name, at: performance.now(), focus })
    }
    let last = ''
    new MutationObserver(() => {
      const name = document.querySelector<HTMLElement>('[data-state]')?.dataset.state ?? ''
      if (name !== last && name !== '') note(name)
      last = name
    }).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-state'],
    })
    for (const event of ['animationstart', 'transitionrun'])
      document.addEventListener(event, ({ target }) => {
        window.diary.movements.push(`${event} of ${(target as Element).getAttribute('class')}`)
      })
  })
}

/** Completes a visit without a mouse, using only Tab and Enter. */
async function visitByKeyboard(
  site: Site,
  browser: Browser,
  look: BrowserContextOptions,
): Promise<{ outcome: Outcome; diary: Diary }> {
  const clip = await loadClip(browser, 'Krzysiek354_real.webm')
  const id = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const context = await browser.newContext({ serviceWorkers: 'block', ...look })
  try {
    await installActor(context, clip, { manner: 'asked' })
    const page = await context.newPage()
    await keepDiary(page)
    await page.goto(await signLink(site, id))
    await press(page, 'consent', 'Agree and continue')
    await press(page, 'ready', 'Start camera')
    await page.waitForSelector('[data-state="passed"], [data-state="notCompleted"]', { timeout: 90_000 })
    await page.waitForTimeout(300)
    const diary = await page.evaluate(() => ({ ...window.diary, heard: window.heard }))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    return { outcome: await comeBack(site, page), diary }
  } finally {
    await context.close()
  }
}

/** Reaches the button with this name using Tab, then presses it. */
async function press(page: Page, state: string, name: string): Promise<void> {
  await page.waitForSelector(`[data-state="${state}"]`)
  const button = page.getByRole('button', { name })
  for (let tabs = 0; tabs < 8; tabs++) {
    await page.keyboard.press('Tab')
    if (await button.evaluate((element) => element === document.activeElement)) break
  }
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
}

/** Screens that were shown for a while without being announced within a second. */
function silentIn({ screens, heard }: Diary): string[] {
  return screens
    .filter(({ at }, index) => (screens[index + 1]?.at ?? Number.POSITIVE_INFINITY) - at > 500)
    .filter(({ at }) => !heard.some((said) => said.at >= at - 50 && said.at < at + 1000))
    .map(({ name }) => name)
}

/** The short form combines both in a single visit. */
const withoutMotion = isLong ? {} : ({ reducedMotion: 'reduce' } as const)

test(
  'a visit passes with the keyboard alone: the focus is never lost, and every screen is announced exactly once',
  long,
  async ({ freshSite: site, browser }) => {
    const look = { viewport: { width: 1280, height: 800 }, ...withoutMotion }
    const { outcome, diary } = await visitByKeyboard(site, browser, look)
    if (!isLong) expect(diary.movements, 'nothing moves with reduced motion').toEqual([])
    expect([outcome.signature, outcome.returned]).toEqual(['Valid', 'passed'])
    const names = diary.screens.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['consent', 'ready', 'align', 'hold', 'action', 'sending']))
    expect(diary.screens.filter(({ focus }) => focus !== 'H1')).toEqual([])
    expect(silentIn(diary)).toEqual([])
    const twice = diary.heard.filter(({ text }, index) => text === diary.heard[index - 1]?.text)
    expect(twice).toEqual([])
  },
)

test('a visit passes with reduced motion', long, async ({ freshSite: site, browser }) => {
  const look = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const
  const { outcome, diary } = await visitByKeyboard(site, browser, look)
  expect([outcome.signature, outcome.returned]).toEqual(['Valid', 'passed'])
  expect(diary.movements).toEqual([])
})
