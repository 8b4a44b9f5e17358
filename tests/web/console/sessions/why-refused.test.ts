import { describe, expect, test } from 'vitest'
import { failedReasons } from '#shared/contract/sessions/session.ts'
import { whyRefused } from '#web/console/sessions/why-refused.ts'
import { en } from '#web/console/wording/en.ts'

const words = en as never
const session = (changes: object) =>
  ({
    outcome: 'failed',
    verificationFailedReasons: [],
    tries: 1,
    ...changes,
  }) as never

describe('why was this person refused', () => {
  test.each(failedReasons)('%s has a sentence of its own', (reason) => {
    const said = whyRefused(session({ verificationFailedReasons: [reason] }), words)
    expect(said).toBe(`This person was refused because ${en.because[reason]}.`)
    expect(said).not.toMatch(/undefined|\{/)
  })

  test('several reasons are one sentence', () => {
    expect(whyRefused(session({ verificationFailedReasons: ['noFace', 'ageNotMet'] }), words)).toBe(
      'This person was refused because no face was seen in the pictures, and because the estimated age does not meet the rule.',
    )
  })

  test('the tries are mentioned if there were several', () => {
    const tried = session({ verificationFailedReasons: ['lowQuality'], tries: 3 })
    expect(whyRefused(tried, words)).toContain('at the last of 3 tries')
  })

  test('a person who passed, or is not judged yet, was not refused', () => {
    expect(whyRefused(session({ outcome: 'passed' }), words)).toBe(en.why.passed)
    expect(whyRefused(session({ outcome: 'open' }), words)).toBe(en.why.open)
    const expired = session({ outcome: 'expired', verificationFailedReasons: ['sessionExpired'] })
    expect(whyRefused(expired, words)).toBe(en.why.expired)
  })

  test('a person who left was not refused either', () => {
    const left = session({ outcome: 'left', verificationFailedReasons: ['consentDeclined'] })
    expect(whyRefused(left, words)).toBe(`No picture was judged, because ${en.because.consentDeclined}.`)
  })
})
