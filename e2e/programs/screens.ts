import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchBrowser } from '../support/browser.ts'
import { drawContactSheet, type Shot } from '../support/contact-sheet.ts'
import { overflowsOf } from '../support/overflow.ts'
import { startPreview } from '../support/preview.ts'

/**
 * `npm run screens -- [--only=consent,ready] [--sizes=390x844] [--locales=en,de,ar]`: every screen that the page has, on
 * a phone, a tablet and a desk, light and dark, in three languages, with a real face in the camera, in screens/every/;
 * a contact sheet for each look. Ends with a failure where something does not fit.
 */
const folder = join('screens', 'every')
const themes = ['light', 'dark'] as const
const sizes = listed('sizes', ['390x844', '768x1024', '1280x800']).map((name) => {
  const [width, height] = name.split('x').map(Number) as [number, number]
  return { name, width, height }
})
const locales = listed('locales', ['en', 'de', 'ar'])

const browser = await launchBrowser()
const preview = await startPreview(browser)
const screens = listed('only', preview.screens)
const faults: string[] = []
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const size of sizes) for (const locale of locales) await shootAll(size, locale)
await browser.close()
await preview.stop()
console.log(faults.length === 0 ? `${screens.length} screens in ${folder}/` : `\n${faults.join('\n')}`)
process.exitCode = faults.length === 0 ? 0 : 1

async function shootAll(size: (typeof sizes)[number], locale: string): Promise<void> {
  const page = await browser.newPage({ viewport: size })
  const shots: Record<(typeof themes)[number], Shot[]> = { light: [], dark: [] }
  for (const name of screens) {
    await preview.open(page, name, locale)
    for (const theme of themes) {
      const picture = await shoot(page, theme, `${name}-${size.name}-${theme}-${locale}`)
      shots[theme].push({ name, picture })
    }
    const found = await overflowsOf(page)
    faults.push(...found.map((fault) => `${name}, ${size.name}, ${locale}: ${fault}`))
  }
  await page.close()
  for (const theme of themes) {
    const file = `sheet-${size.name}-${theme}-${locale}.png`
    await writeFile(join(folder, file), await drawContactSheet(shots[theme], size))
    console.log(file)
  }
}

async function shoot(page: Page, colorScheme: 'light' | 'dark', name: string): Promise<Buffer> {
  await page.emulateMedia({ colorScheme })
  return page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

function listed(option: string, all: readonly string[]): readonly string[] {
  const given = process.argv.find((argument) => argument.startsWith(`--${option}=`))
  return given === undefined ? all : given.slice(option.length + 3).split(',')
}
