import type { Browser, Page } from '@playwright/test'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, type Site, signLink } from '../support/acted/scenario.ts'
import { sentBody } from '../support/acted/sent-body.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { state } from '../support/scenes/scene.ts'

test.skip(!hasFootage, 'needs the footage of ../shared/data')

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

/**
 * Leaves a visit during its action, or while its last pictures do not arrive, and continues it through its link in another tab. Returns the second
 * tab's submissions per step.
 */
async function resumedFrom(site: Site, browser: Browser, left: 'action' | 'closing') {
  const link = await signLink(site, await createCheck(site, liveness))
  const clip = await loadClip(browser, 'Krzysiek354_real.webm')
  const { context, page } = await openActed(browser, link, clip, { manner: 'asked' })
  const last = '**/submit-session'
  await page.route(last, (route) => route.abort('connectionreset'))
  await begin(page)
  if (left === 'action') await page.locator(state(left)).waitFor({ timeout: 60_000 })
  else
    await page.waitForEvent('requestfailed', {
      predicate: (request) => request.url().endsWith('/submit-session'),
      timeout: 60_000,
    })
  await page.close()
  const again = await context.newPage()
  const steps = stepsOf(again)
  await again.goto(link)
  await begin(again)
  return { context, steps, outcome: await comeBack(site, again) }
}

function stepsOf(page: Page): string[] {
  const steps: string[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/submit-step')) return
    const { step, request: asked } = sentBody(request.postDataBuffer()!) as { step: number; request?: string }
    steps.push(asked === undefined ? `${step}` : `${step} ${asked}`)
  })
  return steps
}

test(
  'a visit left after its action continues in another tab with only the last pictures, and passes',
  long,
  async ({ site, browser }) => {
    const { context, steps, outcome } = await resumedFrom(site, browser, 'closing')
    expectPassed(outcome)
    expect(steps).toEqual([])
    await context.close()
  },
)

test(
  'a visit left during an action continues in another tab with that action, and passes',
  long,
  async ({ site, browser }) => {
    const { context, steps, outcome } = await resumedFrom(site, browser, 'action')
    expectPassed(outcome)
    expect(steps.slice(0, 3)).toEqual(['1 startOver', '1 moreTime', '1'])
    await context.close()
  },
)
