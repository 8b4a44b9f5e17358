import type { Browser } from '@playwright/test'
import { readWords } from '../../build/usage.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { drawCheck } from './pictures/check-picture.ts'
import { drawConsole } from './pictures/console-picture.ts'
import { drawKiosk } from './pictures/kiosk-picture.ts'

const usage = `Usage: npm run pictures -- [check] [console] [kiosk]

Redraws the pictures of the documents from the current sources and build, all of them or only the named ones:
docs/check.png and docs/console.png for README.md, docs/kiosk.png for docs/kiosk.md.`

const pictures: Readonly<Record<string, (browser: Browser) => Promise<string>>> = {
  check: drawCheck,
  console: drawConsole,
  kiosk: drawKiosk,
}

const { positionals } = readWords(usage, {}, Object.keys(pictures).length)
const names = positionals.length === 0 ? Object.keys(pictures) : positionals
const browser = await launchBrowser()
for (const name of names) {
  const draw = pictures[name]
  if (draw === undefined) throw new Error(`There is no picture "${name}".\n\n${usage}`)
  console.log(await draw(browser))
}
await browser.close()
