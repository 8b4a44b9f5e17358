import type { Page } from '@playwright/test'
import { faultsOf } from '../support/accessibility.ts'
import { gatherCast } from '../support/acted/cast.ts'
import { stillClip } from '../support/acted/clips.ts'
import { comeBack, createCheck, openActed, signLink } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { onlyAge, openScene, state } from '../support/scenes/scene.ts'
import { scenes } from '../support/scenes/scenes.ts'

/**
 * The preview covers every state of the page (accessible.test.ts). These scenes cover everything else: the demo's
 * pages, a second device, real camera pictures, and transitions between screens. `npm run visits` covers every scene.
 */
const unlikeThePreview = [
  'demo',
  'demo-result-passed',
  'demo-result-refused',
  'demo-result-altered',
  'handoff',
  'handoff-number',
  'following',
  'align-hint',
  'action-turnLeft',
]

async function faultsInBothThemes(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    faults.push(...(await faultsOf(page)))
  }
  return faults
}

for (const name of unlikeThePreview)
  test(`${name} has no faults that axe finds`, long, async ({ site, browser }) => {
    const scene = scenes.find((one) => one.name === name)!
    const cast = await gatherCast(browser, false)
    const look = { viewport: { width: 390, height: 844 } }
    const { page, context } = await openScene(scene, { site, browser, cast }, look)
    expect(await faultsInBothThemes(page)).toEqual([])
    await context.close()
  })

test('axe finds no faults on any screen of a complete visit', async ({ site, browser }) => {
  const link = await signLink(site, await createCheck(site, onlyAge))
  const { page, context } = await openActed(browser, link, await stillClip(), { manner: 'loop' })
  for (const [name, button] of [
    ['consent', 'Agree and continue'],
    ['ready', 'Start camera'],
  ] as const) {
    await page.locator(state(name)).waitFor()
    expect.soft(await faultsInBothThemes(page), name).toEqual([])
    await page.getByRole('button', { name: button }).click()
  }
  await page.locator(state('passed')).click({ timeout: 60_000 }) // a touch keeps the page
  expect.soft(await faultsInBothThemes(page), 'passed').toEqual([])
  await page.getByRole('button', { name: /^Back to/ }).click()
  expect((await comeBack(site, page)).returned).toBe('passed')
  await context.close()
})
