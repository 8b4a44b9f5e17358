import { describe, expect, test } from 'vitest'
import { alternativeOf, plannedBy, privacyOf, triesOf } from '#models/rules/challenge/plan.ts'

describe('the plan of a configuration', () => {
  test('contains no checks if none is enabled', () => {
    const none = { liveness: false, age: false, gender: false, faceRecognition: false, emotion: false }
    expect(plannedBy({})).toEqual({ verifiers: none, challenge: null, evidence: null })
    expect(plannedBy({ liveness: { type: 'Disabled' }, age: { type: 'Disabled' } }).verifiers).toEqual(none)
  })

  test('lists each enabled check', () => {
    const { verifiers } = plannedBy({
      age: { type: 'CalculationOnly' },
      gender: { type: 'CalculationOnly' },
      faceRecognition: { type: 'MatchVerification' },
      emotion: { type: 'CalculationOnly', purpose: 'A study' },
    })
    expect(verifiers).toEqual({
      liveness: false,
      age: true,
      gender: true,
      faceRecognition: true,
      emotion: true,
    })
  })

  test.each([
    [undefined, 'Balanced', 1],
    ['Balanced', 'Balanced', 1],
    ['Advanced', 'Advanced', 3],
  ] as const)('requests the actions of %s', (challengeType, type, actionCount) => {
    const liveness = { type: 'Verification', ...(challengeType && { challengeType }) } as const
    const { challenge, evidence } = plannedBy({ liveness })
    expect(challenge).toEqual({ type, actionCount })
    expect(evidence?.trail).toBe(true)
  })

  test.each([
    [{}, 2],
    [{ retryConfig: { attempts: 0 } }, 0],
    [{ retryConfig: { attempts: 1 } }, 1],
  ])('of %j gives %i further tries', (config, tries) => {
    expect(triesOf(config)).toBe(tries)
  })

  test('states whether another way and privacy information exist, and null for the rest', () => {
    expect({ ...alternativeOf({}), ...privacyOf({}) }).toEqual({})
    expect(alternativeOf({ alternativeConfig: { url: 'https://a.example' } })).toEqual({
      alternative: { url: 'https://a.example', text: null },
    })
    expect(privacyOf({ privacyConfig: { purpose: 'An account' } })).toEqual({
      privacy: { privacyUrl: null, termsUrl: null, controller: null, purpose: 'An account' },
    })
  })
})
