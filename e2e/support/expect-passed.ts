import { expect } from '@playwright/test'
import type { Outcome } from './acted/scenario.ts'

/** Expects a visit to have passed. If it has not, the error contains the server's reasons. */
export function expectPassed({ returned, account }: Outcome): void {
  expect(returned, account).toBe('passed')
}
