import { stillClip } from '../support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, signLink } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

/** A hint takes ten pictures, and a slow machine only analyses one or two per second. */
const darkMilliseconds = 15_000

for (const [noise, hints] of [
  [0, ['constantPictures']],
  [1, []],
] as const) {
  test(
    `an injected picture with ${noise} levels of noise results in the hints ${hints}`,
    long,
    async ({ site, browser }) => {
      const link = await signLink(site, await createCheck(site, { age: { type: 'CalculationOnly' } }))
      const { context, page } = await openActed(browser, link, await stillClip(), { manner: 'loop', noise })
      // Too dark to continue.
      await page.evaluate(() => window.actor.spoil('brightness(0.15)'))
      await begin(page)
      await page.locator('[data-state="align"]').waitFor()
      await page.waitForTimeout(darkMilliseconds)
      await page.evaluate(() => window.actor.spoil('none'))
      const { result } = await comeBack(site, page)
      expect(result).toMatchObject({ verificationResult: 'Pass', injectionHints: hints })
      await context.close()
    },
  )
}
