import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/support/browser.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  // A visit waits more than it computes: for a person to move, for a screen to be read.
  workers: 2,
  timeout: 120_000,
  reporter: [['list']],
  use: { launchOptions, viewport: { width: 390, height: 844 }, serviceWorkers: 'block' },
})
