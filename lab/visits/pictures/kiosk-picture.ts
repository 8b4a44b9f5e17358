import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { shootScreens, writePicture } from './write-picture.ts'

const size = { width: 820, height: 1024 }
const bezel = 22
const gap = 56
const wide = 1200

/** An idle kiosk next to one that shows an answer. */
export async function drawKiosk(browser: Browser): Promise<string> {
  const screens = await shootScreens(browser, size, ['kiosk-attract', 'kiosk-answer-passed'])
  const tablets = await Promise.all(screens.map(tablet))
  const across = size.width + 2 * bezel
  const pieces = tablets.map((input, index) => ({ input, left: gap + index * (across + gap), top: gap }))
  const wall = { width: 2 * across + 3 * gap, height: size.height + 2 * bezel + 2 * gap, pieces }
  return writePicture('kiosk.png', wall, wide, 64)
}

/** A screen in a tablet's dark frame. */
async function tablet(screen: Buffer): Promise<Buffer> {
  const [width, height] = [size.width + 2 * bezel, size.height + 2 * bezel]
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="36" fill="#14191f"/></svg>`
  const corners = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="${size.width}" height="${size.height}" rx="16"/></svg>`
  const rounded = await sharp(screen)
    .composite([{ input: Buffer.from(corners), blend: 'dest-in' }])
    .png()
    .toBuffer()
  return sharp(Buffer.from(body))
    .composite([{ input: rounded, left: bezel, top: bezel }])
    .png()
    .toBuffer()
}
