import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import type { EngineName } from '../../e2e/engines/driver/engine.ts'
import { openers } from '../../e2e/engines/driver/openers.ts'
import { missingOf } from '../../e2e/engines/driver/programs.ts'
import { until } from '../../e2e/engines/person.ts'
import { drawContactSheet, type Shot } from '../../e2e/support/contact-sheet.ts'
import { findOverflows } from '../../e2e/support/overflow.ts'
import { startPreview } from '../../e2e/support/preview.ts'

/** The screenshots to take in an engine. */
interface WantedScreens {
  readonly sizes: readonly { readonly name: string; readonly width: number; readonly height: number }[]
  readonly locales: readonly string[]
  /** All screens if absent. */
  readonly only: readonly string[] | undefined
}

/**
 * Takes screenshots of all screens in Firefox or WebKit with the light theme (neither can be switched to the dark one), and saves them to
 * `screens/ENGINE/` with contact sheets. Chromium builds and lists the preview. @returns layout faults
 */
export async function shootInEngine(
  browser: Browser,
  name: EngineName,
  { sizes, locales, only }: WantedScreens,
): Promise<string[]> {
  const missing = missingOf(name)
  if (missing.length > 0) return [`${name}: ${missing.join(', ')} not installed`]
  const folder = join('screens', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const preview = await startPreview(browser)
  const engine = await openers[name]()
  const faults: string[] = []
  try {
    for (const size of sizes) {
      await engine.resize(size.width, size.height)
      for (const locale of locales) {
        const shots: Shot[] = []
        for (const screen of only ?? preview.screens) {
          await engine.open(preview.addressOf(screen, locale))
          await until(engine, screen, () => engine.run(isWhole))
          const picture = await engine.picture()
          shots.push({ name: screen, picture })
          await writeFile(join(folder, `${screen}-${size.name}-${locale}.png`), picture)
          const found = await engine.run(findOverflows)
          faults.push(...found.map((fault) => `${screen}, ${size.name}, ${locale}: ${fault}`))
        }
        const sheet = `sheet-${size.name}-${locale}.png`
        await writeFile(join(folder, sheet), await drawContactSheet(shots, size))
        console.log(join(folder, sheet))
      }
    }
  } finally {
    await engine.quit()
    await preview.stop()
  }
  return faults
}

/** Runs in the page and checks that the heading and all pictures are there. */
function isWhole(): true | null {
  const isThere = document.querySelector('[data-state] h1') !== null
  const areSeen = [...document.images].every((image) => image.complete && image.naturalWidth > 0)
  return isThere && areSeen ? true : null
}
