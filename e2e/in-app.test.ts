import { begin, createCheck, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

const instagram =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E236 Instagram 325.0.3.34.90 (iPhone14,5; iOS 17_4_1; en_US; en; scale=3.00; 1170x2532; 588838943)'

test.use({ userAgent: instagram })

test('an app without camera access is named with a way out, before the link is used', async ({
  site,
  page,
  browser,
}) => {
  const link = await signLink(site, await createCheck(site, {}))
  await page.addInitScript(`Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'The camera can’t open inside Instagram' })).toBeVisible()
  await expect(page.getByText('Open the menu of Instagram')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  const elsewhere = await browser.newPage()
  await elsewhere.goto(link)
  await expect(elsewhere.getByRole('heading', { name: 'A quick face check' })).toBeVisible()
  await elsewhere.close()
})

test('an app that refuses its camera is named', long, async ({ site, page }) => {
  const link = await signLink(site, await createCheck(site, {}))
  await page.addInitScript(
    `MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
  )
  await page.goto(link)
  await begin(page)
  await expect(page.getByRole('heading', { name: 'The camera can’t open inside Instagram' })).toBeVisible()
})
