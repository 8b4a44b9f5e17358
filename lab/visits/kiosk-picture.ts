import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { readWords } from '../../build/usage.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { type Preview, startPreview } from '../../e2e/support/preview.ts'

const usage = `Usage: npm run kiosk-picture

Draws docs/kiosk.png for docs/kiosk.md: a kiosk at rest and a kiosk that answers, side by side.`

readWords(usage, {})
const size = { width: 820, height: 1024 }
const bezel = 22
const gap = 56
const file = join('docs', 'kiosk.png')

const browser = await launchBrowser()
const preview = await startPreview(browser)
const page = await browser.newPage({ viewport: size })
const tablets = [
  await tablet(await shoot(preview, page, 'kiosk-attract')),
  await tablet(await shoot(preview, page, 'kiosk-answer-passed')),
]
await browser.close()
await preview.stop()
const across = size.width + 2 * bezel
const beside = sharp({
  create: {
    width: 2 * across + 3 * gap,
    height: size.height + 2 * bezel + 2 * gap,
    channels: 3,
    background: '#dfe3e8',
  },
}).composite(tablets.map((input, index) => ({ input, left: gap + index * (across + gap), top: gap })))
const { data } = await beside.png().toBuffer({ resolveWithObject: true })
const { size: bytes } = await sharp(data)
  .resize({ width: 1200 })
  .png({ palette: true, colours: 64 })
  .toFile(file)
console.log(`${file}: ${Math.round(bytes / 1024)} KiB`)

async function shoot({ open }: Preview, on: Page, screen: string): Promise<Buffer> {
  await open(on, screen)
  return on.screenshot({ animations: 'disabled' })
}

/** A screen within the dark edge of its tablet. */
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
