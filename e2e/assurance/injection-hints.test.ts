import { stillClip } from '../support/acted/clips.ts'
import { createCheck, signLink, visit } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { some } from '../support/length.ts'

for (const [noise, hints] of some([
  [0, ['constantPictures']],
  [1, []],
] as const)) {
  test(`a picture that is put in with ${noise} levels of noise leaves the hints ${hints}`, async ({
    site,
    browser,
  }) => {
    const link = await signLink(site, await createCheck(site, { age: { type: 'CalculationOnly' } }))
    const { result } = await visit(site, browser, link, await stillClip(), { manner: 'loop', noise })
    expect(result).toMatchObject({ verificationResult: 'Pass', injectionHints: hints })
  })
}
