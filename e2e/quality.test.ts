import type { Page } from '@playwright/test'
import { hasFootage, loadClip } from './support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, type Site, signLink } from './support/acted/scenario.ts'
import { expectPassed } from './support/expect-passed.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

test.skip(!hasFootage, 'needs the footage of ../shared/data')

/** The pictures that the session has submitted so far. */
function submissionsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const operation = /submit-(step|session)$/.exec(request.url())?.[0]
    if (operation !== undefined) sent.push(operation)
  })
  return sent
}

async function film(site: Site, browser: Parameters<typeof openActed>[0]) {
  const clip = await loadClip(browser, 'Krzysiek354_real.webm')
  const link = await signLink(site, await createCheck(site, liveness))
  return openActed(browser, link, clip, { manner: 'asked' })
}

const spoil = (page: Page, filter: string) => page.evaluate((how) => window.actor.spoil(how), filter)

for (const [name, filter, words] of [
  ['dark', 'brightness(0.07)', /too dark to see you|Turn towards a light/],
  ['blurred', 'blur(9px)', /Hold still|Show your face|must be visible/],
] as const) {
  test(
    `a ${name} picture is reported before anything is sent, and a good one passes`,
    long,
    async ({ freshSite: site, browser }) => {
      const { context, page } = await film(site, browser)
      const sent = submissionsOf(page)
      await spoil(page, filter)
      await begin(page)
      await expect(page.locator('[data-state="align"] .hint')).toHaveText(words, { timeout: 30_000 })
      expect(sent).toEqual([])
      await spoil(page, '')
      expectPassed(await comeBack(site, page))
      await context.close()
    },
  )
}
