import { type Browser, test as base } from '@playwright/test'
import { startProduct, startReceiver } from './product.ts'
import type { Site } from './scenario.ts'

/** Tests with the product running, one for each file, and a receiver of webhooks. */
export const test = base.extend<object, { settings: Record<string, string>; site: Site; host: Browser }>({
  settings: [{ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' }, { option: true, scope: 'worker' }],
  site: [
    async ({ settings }, use) => {
      const receiver = await startReceiver()
      const product = await startProduct(settings)
      await use({ product, receiver })
      await product.stop()
      await receiver.stop()
    },
    { scope: 'worker' },
  ],
  host: [async ({ browser }, use) => use(browser), { scope: 'worker' }],
})

export { expect } from '@playwright/test'
