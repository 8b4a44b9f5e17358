import { expect, type Page } from '@playwright/test'
import readQr from 'jsqr'
import sharp from 'sharp'

/** Decodes the QR code in a screenshot of the page. */
export async function readCodeOf(desk: Page): Promise<string> {
  await desk.locator('.qr').waitFor()
  await desk.locator('.qr-dark:not([d=""])').waitFor({ state: 'attached' })
  const { data, info } = await sharp(await desk.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const found = readQr(new Uint8ClampedArray(data), info.width, info.height, {
    inversionAttempts: 'dontInvert',
  })
  expect(found, 'a QR code is readable on the screen').not.toBeNull()
  return found!.data
}

/** Scans the desktop's code and opens its address on the phone. */
export async function takeOver(phone: Page, desk: Page): Promise<void> {
  await phone.goto(await readCodeOf(desk))
  await phone.locator('[data-state="numberCheck"]').waitFor()
}
