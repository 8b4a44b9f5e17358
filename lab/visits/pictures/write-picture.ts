import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp, { type OverlayOptions } from 'sharp'
import { startPreview } from '../../../e2e/support/preview.ts'

/**
 * Takes screenshots of idle phone or tablet screens without a product behind them. Without touch support, a page would offer to continue on a phone.
 */
export async function shootScreens(
  browser: Browser,
  size: { width: number; height: number },
  screens: readonly string[],
): Promise<Buffer[]> {
  const preview = await startPreview(browser)
  const page = await browser.newPage({ viewport: size, hasTouch: true, isMobile: true })
  const shots: Buffer[] = []
  for (const screen of screens) {
    await preview.open(page, screen)
    shots.push(await page.screenshot({ animations: 'disabled' }))
  }
  await page.close()
  await preview.stop()
  return shots
}

interface Wall {
  readonly width: number
  readonly height: number
  readonly pieces: readonly OverlayOptions[]
}

/** Arranges pieces on a wall, writes the picture at the width used in documents, and prints the file size. */
export async function writePicture(
  name: string,
  { width, height, pieces }: Wall,
  wide: number,
  colours = 256,
) {
  const wall = sharp({ create: { width, height, channels: 3, background: '#dfe3e8' } })
  const hung = await wall
    .composite([...pieces])
    .png()
    .toBuffer()
  const file = join('docs', name)
  const { size } = await sharp(hung).resize({ width: wide }).png({ palette: true, colours }).toFile(file)
  return `${file}: ${Math.round(size / 1024)} KiB`
}
