import { type Browser, test as base } from '@playwright/test'
import type { Site } from './acted/scenario.ts'
import { madeForRun } from './made-once.ts'
import { buildPreview, openPreview, type Preview } from './preview.ts'
import { startProduct, startReceiver } from './product.ts'

/**
 * Tests with a running product and a webhook receiver. Several files share `site`, while each `freshSite` belongs to one test. A server
 * reports scenes that it has seen before, so visits that must pass use a fresh one.
 * `preview` shows every screen of the page without a product.
 */
export const test = base.extend<
  { freshSite: Site },
  { settings: Record<string, string>; site: Site; host: Browser; preview: Preview }
>({
  settings: [{ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' }, { option: true, scope: 'worker' }],
  site: [({ settings }, use) => withSite(settings, use), { scope: 'worker' }],
  freshSite: ({ settings }, use) => withSite(settings, use),
  host: [async ({ browser }, use) => use(browser), { scope: 'worker' }],
  preview: [
    async ({ browser }, use) => {
      const preview = await openPreview(browser, await madeForRun('preview', buildPreview))
      await use(preview)
      await preview.stop()
    },
    { scope: 'worker' },
  ],
})

async function withSite(settings: Record<string, string>, use: (site: Site) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  const product = await startProduct(settings)
  await use({ product, receiver })
  await product.stop()
  await receiver.stop()
}

export { expect } from '@playwright/test'
