import { faultsOf } from './support/accessibility.ts'
import { type Cast, gatherCast } from './support/cast.ts'
import { expect, test } from './support/fixture.ts'
import { openScene } from './support/scene.ts'
import { scenes } from './support/scenes.ts'

test.use({ settings: { LOG_LEVEL: 'silent' } })

/** Those that take long to reach, and further kinds of the same page, are left to `npm run visits`. */
const quick = scenes.filter(
  ({ name, slow }) => slow !== true && !/^(camera|link|action)-[a-z]*[A-Z]/.test(name),
)

let cast: Cast
test.beforeAll(async ({ browser }) => {
  cast = await gatherCast(browser, false)
})

for (const scene of quick) {
  test(`${scene.name} has nothing that axe would mend`, async ({ site, browser }) => {
    const look = { viewport: { width: 390, height: 844 } }
    const { page, context } = await openScene(scene, { site, browser, cast }, look)
    const faults: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      faults.push(...(await faultsOf(page)))
    }
    expect(faults).toEqual([])
    await context.close()
  })
}
