import type { Page } from '@playwright/test'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, type Site, signLink } from '../support/acted/scenario.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'

test.skip(!hasFootage, 'needs the footage of ../shared/data')
test.use({ settings: { CHALLENGE_ACTIONS: 'turnLeft,turnRight' } })

/** Opens a check with a single try to a person who turns the wrong way first. */
async function open(
  site: Site,
  browser: Parameters<typeof openActed>[0],
  turnsWrongFirst: 'untilHint' | 'kept',
) {
  const clip = await loadClip(browser, 'tranvanluyt2203_real.mp4')
  const id = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
  const opened = await openActed(browser, await signLink(site, id), clip, {
    manner: 'asked',
    turnsWrongFirst,
  })
  await begin(opened.page)
  return opened
}

const hintOn = (page: Page) => page.locator('[data-state="action"] .hint', { hasText: 'The other way' })

test('a person who turns the wrong way sees the hint, turns the other way, and passes without another action', async ({
  freshSite: site,
  browser,
}) => {
  const { context, page } = await open(site, browser, 'untilHint')
  const asked = page.locator('[data-state="action"]')
  await hintOn(page).waitFor({ timeout: 30_000 })
  expect(await asked.getAttribute('data-step')).toBe('1')
  const outcome = await comeBack(site, page)
  expectPassed(outcome)
  expect(outcome.account).toContain('selfsame_session_steps_total{reason="performed"} 1')
  expect(outcome.account).not.toContain('otherAction')
  await context.close()
})

test('a person who stays turned the wrong way is asked for another action, in spite of the hint', async ({
  freshSite: site,
  browser,
}) => {
  const { context, page } = await open(site, browser, 'kept')
  await hintOn(page).waitFor({ timeout: 30_000 })
  // Turns to the requested side long after the hint appeared.
  await page.waitForTimeout(4000)
  await page.evaluate(() => {
    const action = document.querySelector('[data-state]')!.getAttribute('data-action')
    window.actor.play(null)
    window.actor.play(action)
  })
  // A check with one action has no second step unless the first one showed another movement.
  await page.locator('[data-state="action"][data-step="2"]').waitFor({ timeout: 30_000 })
  await context.close()
})
