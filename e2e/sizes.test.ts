import { hasFootage, loadClip } from './support/acted/clips.ts'
import { createCheck, signLink, visit } from './support/acted/scenario.ts'
import { expectPassed } from './support/expect-passed.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

const live = 'Krzysiek354_real.webm'

test.use({ settings: { CHALLENGE_ACTIONS: 'comeCloser' } })
test.skip(!hasFootage, 'needs the footage of ../shared/data')

test('a person who moves closer and back as requested passes', long, async ({ freshSite: site, browser }) => {
  const clip = await loadClip(browser, live)
  const id = await createCheck(site, {
    liveness: { type: 'Verification', challengeType: 'Balanced', evidence: 'optional' },
  })
  const outcome = await visit(site, browser, await signLink(site, id), clip, {
    manner: 'asked',
    comesCloser: true,
  })
  expectPassed(outcome)
})

test('a person who does not move fails the challenge', long, async ({ freshSite: site, browser }) => {
  const clip = await loadClip(browser, live)
  const id = await createCheck(site, {
    liveness: { type: 'Verification', challengeType: 'Balanced', evidence: 'optional' },
  })
  const { returned, result } = await visit(site, browser, await signLink(site, id), clip, { manner: 'loop' })
  expect(returned).toBe('failed')
  expect(result.verificationFailedReasons).toContain('challengeFailed')
})
