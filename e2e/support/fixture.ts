import { type Browser, test as base } from '@playwright/test'
import { startProduct, startReceiver } from './product.ts'
import type { Site } from './scenario.ts'

/**
 * Tests with the product running and a receiver of webhooks: `site` for several files, `freshSite` for one test alone. Footage
 * that a product has seen before may be told as a scene that was used before, as it should: who must pass acts for a fresh one.
 */
export const test = base.extend<
  { freshSite: Site },
  { settings: Record<string, string>; site: Site; host: Browser }
>({
  settings: [{ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' }, { option: true, scope: 'worker' }],
  site: [({ settings }, use) => withSite(settings, use), { scope: 'worker' }],
  freshSite: ({ settings }, use) => withSite(settings, use),
  host: [async ({ browser }, use) => use(browser), { scope: 'worker' }],
})

async function withSite(settings: Record<string, string>, use: (site: Site) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  const product = await startProduct(settings)
  await use({ product, receiver })
  await product.stop()
  await receiver.stop()
}

export { expect } from '@playwright/test'
