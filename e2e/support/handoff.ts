import { expect, type Page } from '@playwright/test'
import readQr from 'jsqr'
import sharp from 'sharp'

/** What a reader makes of the page as it is seen: the text of its QR code. */
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
  expect(found, 'a reader finds the code on the screen').not.toBeNull()
  return found!.data
}

/** Scans the code of a desk, and opens what it says on a phone. */
export async function takeOver(phone: Page, desk: Page): Promise<void> {
  await phone.goto(await readCodeOf(desk))
  await phone.locator('[data-state="numberCheck"]').waitFor()
}
