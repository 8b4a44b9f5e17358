import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { listOf, readWords } from '../../build/usage.ts'
import { faultsOf } from '../../e2e/support/accessibility.ts'
import { gatherCast } from '../../e2e/support/acted/cast.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { startProduct, startReceiver } from '../../e2e/support/product.ts'
import { openScene, type Scene } from '../../e2e/support/scenes/scene.ts'
import { scenes } from '../../e2e/support/scenes/scenes.ts'

const usage = `Usage: npm run visits -- [--only=consent,demo] [--still]

Takes a screenshot of every screen of the product as visitors really reach it, on a phone and on a desktop, light and dark,
into screens/visited/ with a contact sheet, and checks each with axe. Fails if a screen was not reached.

  --still   shows only the openly licensed picture to the camera`

const { values } = readWords(usage, { only: { type: 'string' }, still: { type: 'boolean', default: false } })
const folder = join('screens', 'visited')
const sizes = [
  { name: '390x844', width: 390, height: 844 },
  { name: '1280x800', width: 1280, height: 800 },
] as const
const themes = ['light', 'dark'] as const
const attempts = 4

interface Look {
  readonly size: (typeof sizes)[number]
  readonly theme: (typeof themes)[number]
}

const looks: readonly Look[] = sizes.flatMap((size) => themes.map((theme) => ({ size, theme })))
const isWhole = values.only === undefined
const names = listOf(
  scenes.map(({ name }) => name),
  values.only,
)
const wanted = scenes.filter(({ name }) => names.includes(name))

const browser = await launchBrowser()
const receiver = await startReceiver()
const product = await startProduct({ LOG_LEVEL: 'silent' })
const cast = await gatherCast(browser, !values.still)
const failures: string[] = []
if (isWhole) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const [index, scene] of wanted.entries()) {
  const began = Date.now()
  const faults = await shootAll(scene).catch((error: Error) => [error.message.split('\n')[0]!])
  failures.push(...faults.map((fault) => `${scene.name}: ${fault}`))
  const outcome = faults.length === 0 ? 'well' : faults.join('; ')
  console.log(`${index + 1}/${wanted.length} ${scene.name}: ${outcome} (${Date.now() - began} ms)`)
}
if (isWhole) await writeFile(join(folder, 'index.html'), contactSheet())
await browser.close()
await product.stop()
await receiver.stop()
console.log(failures.length === 0 ? `\n${wanted.length} screens in ${folder}/` : `\n${failures.join('\n')}`)
process.exitCode = failures.length === 0 ? 0 : 1

/** A single visit is used for all looks until its screen changes. Screens that move on automatically are visited again. */
async function shootAll(scene: Scene): Promise<string[]> {
  const faults = new Set<string>()
  const left = [...looks]
  const tell = (look: Look, text: string) => faults.add(`${text} (${look.size.name} ${look.theme})`)
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === attempts + looks.length) throw new Error('the screen did not stay long enough')
    const { page, context } = await openScene(
      scene,
      { site: { product, receiver }, browser, cast },
      lookOf(left[0]!),
    )
    try {
      while (left[0] !== undefined && (await shoot(scene, page, left[0], tell))) left.shift()
    } finally {
      await context.close()
    }
  }
  return [...faults]
}

function lookOf({ size, theme }: Look) {
  return { viewport: { width: size.width, height: size.height }, colorScheme: theme }
}

/** True if the screen was still there after taking its screenshot and running its checks. */
async function shoot(
  scene: Scene,
  page: Page,
  look: Look,
  tell: (look: Look, fault: string) => void,
): Promise<boolean> {
  await page.setViewportSize(look.size)
  await page.emulateMedia({ colorScheme: look.theme })
  if (!(await page.locator(scene.seen).first().isVisible())) return false
  await page.waitForTimeout(scene.whole ? 300 : 60)
  const path = join(folder, `${scene.name}-${look.size.name}-${look.theme}.png`)
  await page.screenshot({ path, fullPage: scene.whole ?? false })
  if (!(await page.locator(scene.seen).first().isVisible())) return false
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  if (wide) tell(look, 'scrolls sideways')
  const faults = await faultsOf(page)
  if (await page.locator(scene.seen).first().isVisible()) for (const fault of faults) tell(look, fault)
  return true
}

function contactSheet(): string {
  const figures = scenes.map(({ name }) => {
    const pictures = looks.map(({ size, theme }) => {
      const file = `${name}-${size.name}-${theme}.png`
      return `<a href="${file}"><img src="${file}" alt="${name}, ${size.name}, ${theme}" loading="lazy"></a>`
    })
    return `<section><h2>${name}</h2><div>${pictures.join('')}</div></section>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; background: #ddd; color: #111; }
div { display: flex; gap: 12px; align-items: start; overflow-x: auto; } img { height: 420px; border: 1px solid #999; }
</style><h1>Screens</h1>${figures.join('\n')}</html>
`
}
