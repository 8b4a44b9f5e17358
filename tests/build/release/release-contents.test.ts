import { expect, test } from 'vitest'
import { isOfCheckout } from '../../../build/release/release-contents.ts'

test.each([
  'ops/.env',
  '.env',
  'ops/.env.local',
  'ops/compose.postgres.yaml',
  'dist/.sources',
  'ops/try-image.sh',
])('%s stays in the checkout', (path) => {
  expect(isOfCheckout(path)).toBe(true)
})

test.each([
  'ops/alerts.yaml',
  'ops/kubernetes/base/settings.env',
  'docs/environment.md',
  'dist/server/main.js',
])('%s is part of a release', (path) => {
  expect(isOfCheckout(path)).toBe(false)
})
