import { type Browser, test as base } from '@playwright/test'
import type { Site } from './acted/scenario.ts'
import { madeForRun } from './made-once.ts'
import { buildPreview, openPreview, type Preview } from './preview.ts'
import { startProduct, startReceiver } from './product.ts'

/**
 * Tests with the product running and a receiver of webhooks: `site` for several files, `freshSite` for one test alone. Footage
 * that a product has seen before may be told as a scene that was used before, as it should: who must pass acts for a fresh one.
 * `preview` has every screen of the page without a product.
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
