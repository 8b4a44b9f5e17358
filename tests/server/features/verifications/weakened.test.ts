import { expect, test } from 'vitest'
import { weakenedSince } from '#server/features/verifications/weakened.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'

const standard: VerificationConfig = {
  verifierConfigs: { liveness: { type: 'Verification', leastAssurance: 'standard' } },
}
const low: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const elsewhere: VerificationConfig = {
  ...standard,
  redirectConfig: { passedUrl: 'https://shop.example/' },
}

/** The minute of the first weakening that still makes a difference; versions are a minute apart. */
function since(versions: readonly VerificationConfig[], confirmedAt = 0) {
  const dated = versions.map((verificationConfig, i) => ({
    time: new Date(60_000 * (i + 1)).toISOString(),
    verificationConfig,
  }))
  const found = weakenedSince(
    dated.toReversed(),
    { verificationConfig: versions.at(-1)! },
    confirmedAt * 60_000,
  )
  return found && found / 60_000
}

test('is the first change that made it weaker than it was', () => {
  expect(since([standard])).toBeUndefined()
  expect(since([standard, low])).toBe(2)
  expect(since([standard, low, { ...low, retryConfig: { attempts: 1 } }])).toBe(2)
})

test('is over once it is as strong as before, and after a confirmation', () => {
  expect(since([standard, low, standard])).toBeUndefined()
  expect(since([standard, low], 2)).toBeUndefined()
  expect(since([standard, low, {}], 2)).toBe(3)
})

test('does not count a change that moves people elsewhere', () => {
  expect(since([standard, elsewhere])).toBeUndefined()
})
