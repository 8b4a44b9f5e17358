import { comeBack, createCheck, signLink } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { some } from '../support/length.ts'
import { oddLinks } from '../support/odd-links.ts'

/** In the long form, each link is opened in a browser. tests/security/odd-links.test.ts covers all of them without one. */
for (const [what, query, means] of some(oddLinks)) {
  test(`a link with ${what} opens, and its parameters come back unchanged`, async ({ site, page }) => {
    await page.goto(await signLink(site, await createCheck(site, {}), `&${query}`))
    await page.getByRole('button', { name: 'I don’t agree' }).click()
    await page.getByRole('button', { name: /^Back to/ }).click()
    const { parameters, signature, result } = await comeBack(site, page)
    expect(result.customInputParameters).toEqual(Object.fromEntries(means))
    expect([...parameters].filter(([name]) => !name.startsWith('re'))).toEqual(means)
    expect(signature).toBe('Valid')
  })
}

test('a long link opens', async ({ site, page }) => {
  const text = 'ü'.repeat(1000)
  await page.goto(await signLink(site, await createCheck(site, {}), `&a=${text}`))
  await expect(page.getByRole('heading', { name: 'A quick face check' })).toBeVisible()
})
