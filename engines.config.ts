import { defineConfig } from '@playwright/test'
import { engineNames } from './e2e/engines/driver/engine.ts'
import type { EngineOptions } from './e2e/engines/engine-fixture.ts'
import { launchOptions } from './e2e/support/browser.ts'
import { isLong, long } from './e2e/support/length.ts'

/** Tests the product in browsers other than Chromium. Chromium plays the second device and decodes the clips. */
export default defineConfig<object, EngineOptions>({
  testDir: 'e2e/engines',
  testMatch: '*.engine.ts',
  outputDir: 'test-results/engines',
  globalSetup: './build/need-programs.ts',
  // One browser at a time: a visit uses both cores and is time-sensitive.
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
    // WebKitGTK has no passkeys, and no preferences like Firefox's; the visits cover the console's message about passkeys.
    ...(engineName === 'webkit' ? { testIgnore: '**/{passkeys,preferences}.engine.ts' } : {}),
  })),
})
