import { hasFootage, loadClip, stillClip } from '../support/acted/clips.ts'
import { createCheck, signLink } from '../support/acted/scenario.ts'
import { expectPassed } from '../support/expect-passed.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import {
  clockJumps,
  forgetfulStorage,
  fullStorage,
  hidesPictures,
  noWebAssembly,
  refusesPixels,
  refusesStorage,
  reloaded,
  translated,
  whitePictures,
  workerHidesPictures,
} from '../support/surroundings/browsers.ts'
import { cameras } from '../support/surroundings/cameras.ts'
import { calls, type FateName, fates, gap, request, slowUplink } from '../support/surroundings/networks.ts'
import { type Surrounding, waysOn } from '../support/surroundings/surrounding.ts'
import { openAmid, visitAmid } from '../support/surroundings/visits.ts'

/** Conditions that a single visit encounters together, and how it ends. */
interface Row {
  readonly met: readonly Surrounding[]
  /** A visit passes, with liveness unless an age is enough. Otherwise, the page offers a way out before the link is used up. */
  readonly comes: 'a visit that passes' | 'an age that passes' | RegExp
  readonly isShort?: true
}

const passes = 'a visit that passes'
const passesByAge = 'an age that passes'
const visit = (...met: Surrounding[]): Row => ({ met, comes: passes })
const age = (...met: Surrounding[]): Row => ({ met, comes: passesByAge })
const words = (comes: RegExp, ...met: Surrounding[]): Row => ({ met, comes })
const short = (row: Row): Row => ({ ...row, isShort: true })

/** [Note: One row for each surrounding] Add a row for each new condition. In the short form, rows share their visits. */
const rows: readonly Row[] = [
  // Network problems at each call.
  short(
    visit(
      request('read-link', 'is lost', 2),
      request('init-redirect-session', 'has its answer lost', 2),
      request('submit-step', 'arrives late', 5),
      request('submit-session', 'meets a busy server', 2),
    ),
  ),
  ...calls.flatMap((call) => (Object.keys(fates) as FateName[]).map((fate) => visit(request(call, fate)))),
  ...(['is lost', 'arrives late', 'has its answer held back'] as const).map((fate) =>
    visit(request('submit-step', fate, 20)),
  ),
  visit(gap(0, 5)),
  visit(gap(3, 20)),
  visit(slowUplink(64_000)),
  visit(slowUplink(32_000)),
  // Camera problems.
  short(age(cameras(['black', 'logo', 'busy', 'good']), translated, fullStorage, reloaded)),
  age(cameras(['black', 'good'])),
  age(cameras(['black', 'good'], { named: false })),
  age(cameras(['logo', 'good'])),
  age(cameras(['silent', 'good'])),
  age(cameras(['tiny', 'good'])),
  age(cameras(['logo', 'busy', 'good'])),
  age(cameras(['busy', 'busy', 'good'])),
  age(cameras(['nothing', 'good'])),
  age(cameras(['black', 'black', 'black', 'good'])),
  age(cameras(['opens its eyes in 2.5 s'])),
  age(cameras(['opens its eyes in 7 s'])),
  age(cameras(['good'], { list: 'refused' })),
  age(cameras(['good'], { list: 'never listed' })),
  age(cameras(['good'], { list: 'listed as nothing' })),
  words(/Choose Allow to use the camera/, cameras(['hangs'])),
  words(/This camera shows no picture/, cameras(['black'])),
  words(/picture is too small/, cameras(['tiny'])),
  words(/No camera found/, cameras(['nothing'])),
  // Browser problems.
  short(words(/hides the camera’s picture/, hidesPictures)),
  short(words(/WebAssembly is off/, noWebAssembly)),
  words(/hides the camera’s picture/, whitePictures),
  words(/hides the camera’s picture/, refusesPixels),
  words(/hides the camera’s picture/, workerHidesPictures),
  visit(translated),
  age(refusesStorage, reloaded),
  age(fullStorage, reloaded),
  age(forgetfulStorage, reloaded),
  age(refusesStorage),
  ...[2, -2, 24 * 365].map((hours) => visit(clockJumps(hours))),
]

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

for (const { met, comes, isShort } of rows) {
  const title = met.map(({ name }) => name).join('; ')
  const length = isShort ? {} : long
  if (comes instanceof RegExp)
    test(`${title}: the page says so, with a way on`, length, async ({ site, browser }) => {
      const link = await signLink(site, await createCheck(site, liveness))
      const page = await openAmid(browser, link, await stillClip(), met)
      const agree = page.getByRole('button', { name: 'Agree and continue' })
      const heading = page.getByRole('heading', { name: comes })
      await expect(agree.or(heading).first()).toBeVisible()
      const isBefore = await heading.isVisible()
      if (!isBefore) {
        await agree.click()
        await page.getByRole('button', { name: 'Start camera' }).click()
      }
      await expect(heading).toBeVisible()
      await expect.poll(() => waysOn(page)).not.toEqual([])
      await page.context().close()
      if (!isBefore) return
      const elsewhere = await browser.newPage()
      await elsewhere.goto(link)
      await expect(elsewhere.getByRole('button', { name: 'Agree and continue' })).toBeVisible()
      await elsewhere.close()
    })
  else
    test(`${title}: the visit passes`, length, async ({ site, browser }) => {
      const isAge = comes === passesByAge
      test.skip(!isAge && !hasFootage, 'needs the footage of ../shared/data')
      const clip = isAge ? await stillClip() : await loadClip(browser, 'Krzysiek354_real.webm')
      const id = await createCheck(site, isAge ? { age: { type: 'CalculationOnly' } } : liveness)
      expectPassed(await visitAmid(site, browser, await signLink(site, id), clip, met))
    })
}
