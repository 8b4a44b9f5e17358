import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { verificationConfig } from '#shared/contract/configuration/verification-config.ts'
import {
  ageTypes,
  type Config,
  deniedIn,
  memberAt,
  numberFrom,
  parseConfig,
  printConfig,
  withAgeType,
  withDenied,
  withFaceType,
  withLeastAssurance,
  withLiveness,
  withMember,
} from '#web/console/verifications/config-form.ts'

const config = {
  'x-own': { keep: [1, 2] },
  verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Advanced', 'x-note': 'n' } },
} as unknown as Config

test('an assurance above low drops optional evidence', () => {
  const optional = withMember(config, 'verifierConfigs.liveness.evidence', 'optional')
  const chosen = withLeastAssurance(optional, 'standard')
  expect(memberAt(chosen, 'verifierConfigs.liveness')).toEqual({
    ...(memberAt(config, 'verifierConfigs.liveness') as object),
    leastAssurance: 'standard',
  })
  expect(withLeastAssurance(optional, 'low')).toEqual(optional)
  expect(withLeastAssurance(chosen, 'low')).toEqual(config)
})

describe('faces that must not pass', () => {
  const on = withFaceType(config, 'CalculationOnly')
  const denying = withMember(
    withDenied(on, ['banned', 'staff']),
    'verifierConfigs.faceRecognition.denyMode',
    'fail',
  )

  test('are collections that are added and removed one by one', () => {
    expect(deniedIn(on)).toEqual([])
    expect(deniedIn(denying)).toEqual(['banned', 'staff'])
    expect(deniedIn(withDenied(denying, ['staff']))).toEqual(['staff'])
    expect(v.is(verificationConfig, withMember(denying, 'x-own', undefined))).toBe(true)
  })

  test('leave neither the collections nor the consequence behind', () => {
    expect(withDenied(denying, [])).toEqual(on)
    expect(withFaceType(denying, 'Disabled')).toEqual(config)
  })

  test('are read as none if the JSON holds anything else', () => {
    const odd = withMember(on, 'verifierConfigs.faceRecognition.denyCollectionIds', 'banned')
    expect(deniedIn(odd)).toEqual([])
  })
})

describe('a configuration as a form', () => {
  test('a member is read and written in its place; the rest is unchanged', () => {
    const next = withMember(config, 'redirectConfig.passedUrl', 'https://shop.example')
    expect(memberAt(next, 'redirectConfig.passedUrl')).toBe('https://shop.example')
    expect(next).toEqual({ ...config, redirectConfig: { passedUrl: 'https://shop.example' } })
    expect(memberAt(config, 'redirectConfig.passedUrl')).toBeUndefined()
  })

  test('a removed member leaves no empty section behind', () => {
    const next = withMember(config, 'redirectConfig.passedUrl', 'https://shop.example')
    expect(withMember(next, 'redirectConfig.passedUrl', undefined)).toEqual(config)
    expect(withMember({}, 'a.b.c', undefined)).toEqual({})
  })

  test('a path through a missing section leads nowhere', () => {
    expect(memberAt({ verifierConfigs: 'text' } as never, 'verifierConfigs.liveness.type')).toBeUndefined()
  })

  test('disabled liveness requires no assurance', () => {
    const on = withMember(withLiveness({}, true), 'verifierConfigs.liveness.leastAssurance', 'high')
    expect(v.is(verificationConfig, on)).toBe(true)
    expect(withLiveness(on, false)).toEqual({})
  })

  test.each(ageTypes)('%s starts with values that the server accepts', (type) => {
    expect(v.is(verificationConfig, withAgeType({}, type))).toBe(true)
  })

  test('switching between the age rules keeps nothing of the first', () => {
    const limit = withMember(
      withAgeType({}, 'ThresholdVerification'),
      'verifierConfigs.age.thresholdConfig.threshold',
      21,
    )
    expect(
      memberAt(withAgeType(limit, 'ThresholdVerification'), 'verifierConfigs.age.thresholdConfig.threshold'),
    ).toBe(21)
    const range = withAgeType(limit, 'RangeVerification')
    expect(memberAt(range, 'verifierConfigs.age.thresholdConfig')).toBeUndefined()
    expect(withAgeType(range, 'Disabled')).toEqual({})
  })

  test('printed text is parsed again; a non-object is refused', () => {
    expect(parseConfig(printConfig(config))).toEqual(config)
    for (const text of ['[]', '"text"', 'null', '{ "a": }', ''])
      expect(parseConfig(text), text).toBeUndefined()
  })

  test.each([
    ['18', 18],
    ['7.5', 7.5],
    ['', undefined],
    [' ', undefined],
    ['x', undefined],
  ])('%j is the number %s', (typed, value) => {
    expect(numberFrom(typed)).toBe(value)
  })
})
