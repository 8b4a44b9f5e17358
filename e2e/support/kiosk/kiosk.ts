import { expect, type Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { createKiosk } from '#shared/contract/kiosk/kiosk.ts'
import type { Site } from '../acted/scenario.ts'

/** The staff PIN in these tests. */
export const pin = '4711'

/** Creates a kiosk for a verification, and returns its pairing address. */
export async function makeKiosk(site: Site, verificationId: string, name = 'North door'): Promise<string> {
  const { pairingUrl } = await call(fetch, site.product.address, createKiosk, {
    credential: { apiKey: site.product.apiKey },
    body: { name, verificationId, locale: 'en' },
  })
  return pairingUrl
}

/** Pairs the page using the code in its address, sets the PIN, and waits until all files are stored. */
export async function pairPage(page: Page, pairingUrl: string): Promise<void> {
  await page.goto(pairingUrl)
  await page.getByRole('button', { name: 'Pair' }).click()
  await page.getByLabel('PIN', { exact: true }).fill(pin)
  await page.getByLabel('The same PIN again').fill(pin)
  await page.getByRole('button', { name: 'Save the PIN' }).click()
  await expect(startButton(page)).toBeVisible({ timeout: 120_000 })
}

/** The button that begins a check. */
export function startButton(page: Page) {
  return page.getByRole('button', { name: 'Start', exact: true })
}

/** Opens the staff menu with a PIN. */
export async function openMenu(page: Page, typed = pin): Promise<void> {
  await page.getByRole('button', { name: 'Staff' }).click()
  await page.getByLabel('PIN').fill(typed)
  await page.getByRole('button', { name: 'Open' }).click()
}
