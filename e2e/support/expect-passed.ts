import { expect } from '@playwright/test'
import type { Outcome } from './acted/scenario.ts'

/** Expects a visit to have passed; where it did not, the failure says what the server saw. */
export function expectPassed({ returned, account }: Outcome): void {
  expect(returned, account).toBe('passed')
}
