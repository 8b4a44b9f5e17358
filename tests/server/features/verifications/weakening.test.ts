import { describe, expect, test } from 'vitest'
import { comparedMembers, weakens } from '#server/features/verifications/weakening.ts'
import {
  type VerificationConfig,
  verificationConfig,
} from '#shared/contract/configuration/verification-config.ts'

interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly wrapped?: Schema
  readonly pipe?: readonly Schema[]
}

/** All members with a value, in the form the schema defines. Text in several languages counts as one member. */
function membersOf(schema: Schema, path = ''): string[] {
  if (schema.wrapped !== undefined) return membersOf(schema.wrapped, path)
  const { entries } = schema
  if (entries === undefined || 'en' in entries) return [path]
  return Object.entries(entries).flatMap(([name, inner]) =>
    membersOf(inner, path === '' ? name : `${path}.${name}`),
  )
}

test('weighs every member of the schema, and no other', () => {
  const members = membersOf(verificationConfig as unknown as Schema)
  expect(members.length).toBeGreaterThan(30)
  expect([...comparedMembers].sort()).toEqual(members.sort())
})

const living = (more: object = {}) => ({ verifierConfigs: { liveness: { type: 'Verification', ...more } } })
const threshold = (limit: object) => ({
  verifierConfigs: { age: { type: 'ThresholdVerification', thresholdConfig: limit } },
})
const range = (limit: object) => ({
  verifierConfigs: { age: { type: 'RangeVerification', rangeConfig: limit } },
})
const referring = (type: 'CalculationOnly' | 'Verification', threshold?: number): VerificationConfig => ({
  verifierConfigs: { reference: { type, ...(threshold !== undefined && { threshold }) } },
})
const faces = (type: string) => ({ verifierConfigs: { faceRecognition: { type } } })
const leads = (passedUrl: string) => ({ redirectConfig: { passedUrl } })
const here = 'https://shop.example/passed'

describe('a change of a verification', () => {
  test.each<readonly [string, object, object, readonly string[]]>([
    ['liveness off', living(), { verifierConfigs: { liveness: { type: 'Disabled' } } }, ['livenessOff']],
    ['everything gone', living({ challengeType: 'Advanced' }), {}, ['livenessOff']],
    ['an easier challenge', living({ challengeType: 'Advanced' }), living(), ['challengeEasier']],
    ['other ways', living(), living({ allowAlternative: true }), ['challengeEasier']],
    ['passive captures', living(), living({ allowPassiveOffline: true }), ['challengeEasier']],
    [
      'less assurance',
      living({ leastAssurance: 'high' }),
      living({ leastAssurance: 'standard' }),
      ['assuranceLower'],
    ],
    ['no least assurance', living({ leastAssurance: 'standard' }), living(), ['assuranceLower']],
    ['rules observed', living(), living({ livenessPolicy: 'observe' }), ['rulesObserved']],
    ['no age check', threshold({ threshold: 18, direction: 'Above' }), {}, ['ageCheckWeaker']],
    [
      'a lower age',
      threshold({ threshold: 18, direction: 'Above' }),
      threshold({ threshold: 16, direction: 'Above' }),
      ['ageCheckWeaker'],
    ],
    [
      'a higher age below which to be',
      threshold({ threshold: 14, direction: 'Below' }),
      threshold({ threshold: 16, direction: 'Below' }),
      ['ageCheckWeaker'],
    ],
    [
      'the other direction',
      threshold({ threshold: 18, direction: 'Above' }),
      threshold({ threshold: 18, direction: 'Below' }),
      ['ageCheckWeaker'],
    ],
    [
      'a smaller margin',
      threshold({ threshold: 18, direction: 'Above', marginInYears: 7 }),
      threshold({ threshold: 18, direction: 'Above' }),
      ['ageCheckWeaker'],
    ],
    [
      'a wider range below',
      range({ minimum: 18, maximum: 30 }),
      range({ minimum: 17, maximum: 30 }),
      ['ageCheckWeaker'],
    ],
    [
      'a wider range above',
      range({ minimum: 18, maximum: 30 }),
      range({ minimum: 18, maximum: 31 }),
      ['ageCheckWeaker'],
    ],
    ['no face check', faces('MatchVerification'), faces('CalculationOnly'), ['faceCheckWeaker']],
    ['another face check', faces('DuplicateVerification'), faces('MatchVerification'), ['faceCheckWeaker']],
    ['no reference', referring('Verification'), referring('CalculationOnly'), ['faceCheckWeaker']],
    ['no reference any more', referring('Verification'), {}, ['faceCheckWeaker']],
    ['a lower similarity', referring('Verification', 80), referring('Verification', 79), ['faceCheckWeaker']],
    ['lower than the default', referring('Verification'), referring('Verification', 79), ['faceCheckWeaker']],
    [
      'several faces',
      { verifierConfigs: { commonSettings: { failOnMultipleFacesDetected: true } } },
      {},
      ['severalFacesPass'],
    ],
    ['more tries', { retryConfig: { attempts: 0 } }, {}, ['moreTries']],
    ['another address', leads(here), leads('https://evil.example/'), ['returnAddress']],
    ['a first address', {}, { redirectConfig: { failedUrl: here } }, ['returnAddress']],
    ['unsigned links', {}, { securityConfig: { forceSignedInput: false } }, ['unsignedLinks']],
    [
      'an unsigned result',
      { resultParameterConfig: { includeSignature: true } },
      { resultParameterConfig: { includeSignature: false } },
      ['resultUnsigned'],
    ],
    ['overrides', {}, { sessionOverrideConfig: { allowVerifierOverrides: true } }, ['overridesAllowed']],
    [
      'overrides of results',
      {},
      { sessionOverrideConfig: { allowResultParameterOverrides: true } },
      ['overridesAllowed'],
    ],
    [
      'overrides of addresses',
      {},
      { sessionOverrideConfig: { allowRedirectOverrides: true } },
      ['overridesAllowed'],
    ],
    ['another way', {}, { alternativeConfig: { url: here } }, ['personElsewhere']],
    ['other terms', {}, { privacyConfig: { termsUrl: here } }, ['personElsewhere']],
    [
      'other privacy',
      { privacyConfig: { privacyUrl: here } },
      { privacyConfig: { privacyUrl: `${here}/2` } },
      ['personElsewhere'],
    ],
    ['a webhook', {}, { webhookConfig: { eventCallbackUrl: here } }, ['resultElsewhere']],
  ])('to %s weakens it', (_what, before, after, expected) => {
    expect(weakens(before as VerificationConfig, after as VerificationConfig)).toEqual(expected)
  })

  test.each<readonly [string, object, object]>([
    ['stays as it is', living({ challengeType: 'Advanced' }), living({ challengeType: 'Advanced' })],
    [
      'states a default explicitly',
      living(),
      living({ challengeType: 'Balanced', leastAssurance: 'low', livenessPolicy: 'enforce' }),
    ],
    ['looks for a living person', {}, living({ livenessPolicy: 'observe', allowAlternative: true })],
    ['asks for more', living(), living({ challengeType: 'Advanced', leastAssurance: 'high' })],
    [
      'requires a higher age',
      threshold({ threshold: 16, direction: 'Above' }),
      threshold({ threshold: 18, direction: 'Above', marginInYears: 7 }),
    ],
    ['narrows a range', range({ minimum: 17, maximum: 31 }), range({ minimum: 18, maximum: 30 })],
    ['wants the match to be unique', faces('MatchVerification'), faces('UniqueMatchVerification')],
    ['sends nobody anywhere any more', leads(here), {}],
    [
      'requires signed links',
      { securityConfig: { forceSignedInput: false } },
      { securityConfig: { forceSignedInput: true } },
    ],
    ['tells more in the result', {}, { resultParameterConfig: { includeAge: true } }],
    ['gives fewer tries', {}, { retryConfig: { attempts: 0 } }],
    ['says other words', {}, { privacyConfig: { controller: 'Shop', purpose: 'Age' } }],
    ['carries names of its own', {}, { 'x-note': 'mine' }],
  ])('that %s does not', (_what, before, after) => {
    expect(weakens(before as VerificationConfig, after as VerificationConfig)).toEqual([])
  })

  test('is reported with every consequence, each once', () => {
    const before = { ...living(), ...leads(here) }
    const after = {
      redirectConfig: { passedUrl: 'https://evil.example/', failedUrl: 'https://evil.example/' },
      securityConfig: { forceSignedInput: false },
    }
    expect(weakens(before as VerificationConfig, after)).toEqual([
      'livenessOff',
      'returnAddress',
      'unsignedLinks',
    ])
  })
})
