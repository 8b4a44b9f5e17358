import { defineConfig } from '@playwright/test'
import { engineNames } from './e2e/engines/driver/engine.ts'
import type { EngineOptions } from './e2e/engines/engine-fixture.ts'
import { launchOptions } from './e2e/support/browser.ts'
import { isLong, long } from './e2e/support/length.ts'

/** The product in the browsers that are not Chromium; Chromium itself plays the other device and decodes the clips. */
export default defineConfig<object, EngineOptions>({
  testDir: 'e2e/engines',
  testMatch: '*.engine.ts',
  outputDir: 'test-results/engines',
  globalSetup: './build/need-programs.ts',
  // One engine after the other: a visit takes both cores, and is watched by the clock.
  workers: 1,
  ...(isLong ? {} : { grepInvert: new RegExp(long.tag) }),
  retries: 1,
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: { launchOptions, viewport: { width: 1280, height: 800 } },
  projects: engineNames.map((engineName) => ({
    name: engineName,
    use: { engineName },
    // WebKitGTK has none; what the console says there is tried with the visits.
    ...(engineName === 'webkit' ? { testIgnore: '**/passkeys.engine.ts' } : {}),
  })),
})
