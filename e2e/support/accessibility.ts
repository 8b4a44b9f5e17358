import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong with the page as it stands, a line each. The debugger's evaluate is not bound by the page's CSP. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const { violations } = await page.evaluate(async (values): Promise<AxeResults> => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    return axe.run(document, { runOnly: { type: 'tag', values } })
  }, tags)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
