import { test as base } from '@playwright/test'
import { type Clip, loadClip } from '../support/acted/clips.ts'
import { type Engine, type EngineName, engineNames } from './driver/engine.ts'
import { openers } from './driver/openers.ts'
import { type StagedSite, withStage } from './staged-site.ts'

/** The options of a project in the configuration. */
export interface EngineOptions {
  readonly engineName: EngineName
}

/**
 * Tests in one engine. They share `site`. A test that films the same person twice uses a `freshSite`, because a server reports any
 * scene that it has seen before.
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

export { expect } from '@playwright/test'
