import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOnly } from 'axe-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const everyRule: RunOnly = { type: 'tag', values: tags }
const colourRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Loads axe along with every document, which takes a fraction of the time that sending it for each check would. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: source })
}

/** Faults that axe finds on the page, one per line. The debugger's evaluate is not restricted by the page's CSP. */
export async function faultsOf(page: Page, runOnly = everyRule): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const { violations } = await page.evaluate(async (only): Promise<AxeResults> => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    return axe.run(document, { runOnly: only, resultTypes: ['violations'] })
  }, runOnly)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** Colour faults, which are the only ones that change with the theme. */
export function colourFaultsOf(page: Page): Promise<string[]> {
  return faultsOf(page, colourRules)
}
