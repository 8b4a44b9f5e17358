import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devices, type Page } from '@playwright/test'
import { listOf, oneOf, readWords } from '../../build/usage.ts'
import { engineNames } from '../../e2e/engines/driver/engine.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { drawContactSheet, type Shot } from '../../e2e/support/contact-sheet.ts'
import { overflowsOf } from '../../e2e/support/overflow.ts'
import { type Preview, startPreview } from '../../e2e/support/preview.ts'
import { shootConsole } from './console-screens.ts'
import { shootInEngine } from './engine-screens.ts'

const usage = `Usage: npm run screens -- [console] [--engine firefox|webkit] [--only=consent,ready] [--sizes=390x844,320x568,768x1024,1280x800] [--locales=en,de,ar]

With --engine: in that browser, light, 390 and 1280 wide, into screens/ENGINE/.
With console: the pages of the operators, on the built product with test sessions, into screens/console/.
Otherwise takes a screenshot of every screen of the page, on two phones and a tablet with touch and on a desktop, light and dark, in three
languages, with a real face in the camera, into screens/every/, with a contact sheet for each look. Fails if something does not fit.`

const text = { type: 'string' } as const
const { values, positionals } = readWords(usage, { only: text, sizes: text, locales: text, engine: text }, 1)
const isConsole = positionals[0] === 'console'
const folder = join('screens', 'every')
const themes = ['light', 'dark'] as const
const engine = values.engine === undefined ? undefined : oneOf('--engine', engineNames, values.engine)
const everySize =
  engine === undefined ? ['390x844', '320x568', '768x1024', '1280x800'] : ['390x844', '1280x800']
const sizes = listOf(everySize, values.sizes).map((name) => {
  const [width, height] = name.split('x').map(Number) as [number, number]
  return { name, width, height }
})
const locales = listOf(['en', 'de', 'ar'], values.locales)

const browser = await launchBrowser()
const faults: string[] = []
if (engine !== undefined) await shootEngine(engine)
else await (isConsole ? shootOperators() : shootVisitors())
await browser.close()
if (faults.length > 0) console.log(`\n${faults.join('\n')}`)
process.exitCode = faults.length === 0 ? 0 : 1

async function shootEngine(name: (typeof engineNames)[number]): Promise<void> {
  const only = values.only === undefined ? undefined : listOf([], values.only)
  faults.push(...(await shootInEngine(browser, name, { sizes, locales, only })))
}

async function shootOperators(): Promise<void> {
  const only = values.only === undefined ? undefined : listOf([], values.only)
  faults.push(...(await shootConsole(browser, { sizes, locales, only })))
}

async function shootVisitors(): Promise<void> {
  const preview = await startPreview(browser)
  const screens = listOf(preview.screens, values.only)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const size of sizes) for (const locale of locales) await shootAll(preview, screens, size, locale)
  await preview.stop()
  if (faults.length === 0) console.log(`${screens.length} screens in ${folder}/`)
}

async function shootAll(
  preview: Preview,
  screens: readonly string[],
  size: (typeof sizes)[number],
  locale: string,
): Promise<void> {
  // Phones and tablets have no mouse; the page asks for the pointer to tell them from desktops.
  const isHandheld = Math.min(size.width, size.height) < 800 && size.width < 1024
  const { userAgent } = devices['Pixel 7']!
  const page = await browser.newPage({
    viewport: size,
    ...(isHandheld && { hasTouch: true, isMobile: true, userAgent }),
  })
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
