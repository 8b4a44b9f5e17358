import { test as base } from '@playwright/test'
import { type Clip, loadClip } from '../support/acted/clips.ts'
import type { Site } from '../support/acted/scenario.ts'
import { startProduct, startReceiver } from '../support/product.ts'
import { type Engine, type EngineName, engineNames } from './driver/engine.ts'
import { openFirefox } from './driver/firefox.ts'
import { openWebkit } from './driver/webkit.ts'
import { openStage, type Stage } from './stage.ts'

/** A product that is seen through a stage: its address is the stage's. */
export interface StagedSite extends Site {
  readonly stage: Stage
}

/** What a project of the configuration says. */
export interface EngineOptions {
  readonly engineName: EngineName
}

const openers: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  firefox: openFirefox,
  webkit: openWebkit,
}

/**
 * Tests in one engine. `site` serves them all; who is filmed twice acts for a `freshSite`, for a scene that a product has seen before
 * is told as such.
 */
export const test = base.extend<
  { freshSite: StagedSite },
  EngineOptions & { engine: Engine; clip: Clip; site: StagedSite }
>({
  engineName: [engineNames[0], { option: true, scope: 'worker' }],
  engine: [
    async ({ engineName }, use) => {
      const engine = await openers[engineName]()
      await engine.resize(390, 844)
      await use(engine)
      await engine.quit()
    },
    { scope: 'worker' },
  ],
  clip: [
    async ({ browser }, use) => use(await loadClip(browser, 'Krzysiek354_real.webm')),
    { scope: 'worker' },
  ],
  site: [async ({ clip }, use) => withStage(clip, use), { scope: 'worker' }],
  freshSite: async ({ clip }, use) => withStage(clip, use),
})

async function withStage(clip: Clip, use: (site: StagedSite) => Promise<void>): Promise<void> {
  const stage = await openStage(clip)
  const receiver = await startReceiver()
  const product = await startProduct({
    PORT: String(stage.port),
    PUBLIC_URL: stage.address,
    CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp',
  })
  try {
    await use({ product: { ...product, address: stage.address }, receiver, stage })
  } finally {
    await product.stop()
    await receiver.stop()
    stage.stop()
  }
}

export { expect } from '@playwright/test'
