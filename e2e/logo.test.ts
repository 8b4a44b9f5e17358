import sharp from 'sharp'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { createCheck, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'

const picture = sharp({ create: { width: 320, height: 80, channels: 4, background: '#102a43' } })

test("the account's logo appears on its pages, and disappears after it is removed", async ({
  site,
  page,
}) => {
  const credential = { apiKey: site.product.apiKey }
  const setLogo = (logo: string | null) =>
    call(fetch, site.product.address, updateAccount, { credential, body: { logo, name: 'Northwind' } })
  const id = await createCheck(site, { age: { type: 'CalculationOnly' } })
  await setLogo((await picture.png().toBuffer()).toString('base64'))
  await page.goto(await signLink(site, id))
  const logo = page.getByRole('img', { name: 'Northwind' })
  await expect(logo).toBeVisible()
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  await setLogo(null)
  await page.goto(await signLink(site, id))
  await expect(page.getByRole('banner')).toContainText('Northwind')
  await expect(logo).toHaveCount(0)
})
