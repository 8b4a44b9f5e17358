import { defineConfig } from '@playwright/test'
import { withoutGpu } from './e2e/support/browser.ts'
import { isLong, long } from './e2e/support/length.ts'

// The workers read it too: they load this file before any test.
if (!isLong) process.env.ACTED_RATE ??= '12'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  globalSetup: './build/need-programs.ts',
  // Visits wait for people to move and for screens to be read, kiosks for people to go. A fourth is no quicker on two cores: then visits wait for each other.
  workers: 3,
  ...(isLong ? {} : { grepInvert: new RegExp(long.tag) }),
  // The list names what passed only when it was tried again.
  retries: 1,
  // Test by test, so that no worker is left alone with a long file.
  fullyParallel: true,
  // A visit takes 10 seconds on a quiet machine, and ten times that on a busy one: time is measured elsewhere.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: { launchOptions: withoutGpu, viewport: { width: 390, height: 844 }, serviceWorkers: 'block' },
})
