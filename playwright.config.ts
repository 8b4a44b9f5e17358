import { defineConfig } from '@playwright/test'
import { withoutGpu } from './e2e/support/browser.ts'
import { isLong, long } from './e2e/support/length.ts'

// Workers load this file before any test, so they get the variable too.
if (!isLong) process.env.ACTED_RATE ??= '12'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  globalSetup: './build/need-programs.ts',
  // Tests spend much time waiting for actors, screens and kiosks. A fourth worker is no faster on two cores, because visits then wait for each other.
  workers: 3,
  ...(isLong ? {} : { grepInvert: new RegExp(long.tag) }),
  // The report names tests that passed only on a retry.
  retries: 1,
  // Distributes single tests, so that no worker is left with a long file at the end.
  fullyParallel: true,
  // A visit takes 10 seconds on a quiet machine and ten times that on a busy one. Performance is measured elsewhere.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: { launchOptions: withoutGpu, viewport: { width: 390, height: 844 }, serviceWorkers: 'block' },
})
