import { describe, expect, test } from 'vitest'
import { isGathered, isKept } from '#server/features/sessions/records/evidence-retention.ts'
import { failedReasons } from '#shared/contract/sessions/session.ts'

const ended = (keeps: object | undefined, result: object = {}, more: object = {}) =>
  ({
    settings: { keeps },
    state: 'Completed',
    outcome: { result: { verificationFailedReasons: [], findings: [], ...result } },
    ...more,
  }) as unknown as Parameters<typeof isKept>[0]

const review = { pictures: 'review', hours: 72 }
const all = { pictures: 'all', hours: 72 }

describe('pictures are kept for a review', () => {
  test.each(failedReasons)('for the reason %s, where that is one to look at', (reason) => {
    const looked = [
      'ageUncertain',
      'assuranceTooLow',
      'denied',
      'evidenceMissing',
      'faceMismatch',
      'referenceMismatch',
    ].includes(reason)
    expect(isKept(ended(review, { verificationFailedReasons: [reason] }))).toBe(looked)
    const withdrawn = ['consentDeclined', 'alternativeChosen'].includes(reason)
    expect(isKept(ended(all, { verificationFailedReasons: [reason] }))).toBe(!withdrawn)
  })

  test('if there are findings, even if the person passed', () => {
    expect(isKept(ended(review))).toBe(false)
    expect(isKept(ended(review, { findings: [{ kind: 'sameScene' }] }))).toBe(true)
    expect(isKept(ended(all))).toBe(true)
  })

  test('never without a setting, for an expired session, or for a test', () => {
    expect(isKept(ended(undefined, { findings: [{ kind: 'sameScene' }] }))).toBe(false)
    expect(isKept(ended(all, {}, { state: 'Expired' }))).toBe(false)
    expect(isKept(ended(all, {}, { outcome: null }))).toBe(false)
    expect(isKept(ended(all, {}, { test: { outcome: null } }))).toBe(false)
    expect(isGathered(ended(all))).toBe(true)
    expect(isGathered(ended(all, {}, { test: { outcome: null } }))).toBe(false)
  })
})
