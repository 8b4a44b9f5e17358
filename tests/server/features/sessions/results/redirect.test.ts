import { describe, expect, test } from 'vitest'
import type { DecidedResult } from '#server/features/sessions/records/session-record.ts'
import { redirectAddress, resultParameters } from '#server/features/sessions/results/redirect.ts'
import { type ResultFlag, resultFlags } from '#shared/contract/configuration/verification-config.ts'
import { addressFault } from '#shared/web-address.ts'

const result: DecidedResult = {
  verificationSessionId: 's1',
  resultId: 'r1',
  verificationResult: 'Fail',
  verificationFailedReasons: ['noFace', 'lowQuality'],
  livenessVerificationResult: 'Pass',
  ageVerificationResult: 'NotExecuted',
  estimatedAge: 33.99,
  genderVerificationResult: 'Pass',
  estimatedGender: 'Female',
  faceRecognitionResult: 'Fail',
  referenceResult: 'NotExecuted',
  referenceSimilarity: null,
  faceId: 'f1',
  correlationId: 'c 1',
  totalFaceCount: 2,
  customInputParameters: {},
  assurance: 'standard',
  policyVersion: '2026-11-23',
  wouldFail: [],
  findings: [],
  injectionHints: [],
}
const custom = [
  ['a', '1'],
  ['b', "x&'ü"],
  ['a', '2'],
] as const
const ending = { verificationId: 'v1', completedAt: 1_767_225_600_999 }

describe('the result parameters', () => {
  test.each([
    ['includeSessionId', 'reVerificationSessionId', 's1'],
    ['includeVerificationResult', 'reVerificationResult', 'failed'],
    ['includeLivenessCheckResult', 'reLivenessResult', 'passed'],
    ['includeFaceRecognitionResult', 'reFaceRecognitionResult', 'failed'],
    ['includeAgeVerificationResult', 'reAgeVerificationResult', 'not_executed'],
    ['includeGenderVerificationResult', 'reGenderVerificationResult', 'passed'],
    ['includeFaceId', 'reFaceId', 'f1'],
    ['includeAge', 'reAge', '33'],
    ['includeGender', 'reGender', 'female'],
    ['includeCorrelationId', 'reCorrelationId', 'c 1'],
    ['includeTotalFaceCount', 'reTotalFaceCount', '2'],
    ['includeFailedReason', 'reFailedReason', 'noFace,lowQuality'],
    ['includeAssurance', 'reAssurance', 'standard'],
  ] as const)('%s gives %s', (flag, name, value) => {
    expect(resultParameters(result, { [flag]: true }, custom, ending)).toEqual([[name, value]])
  })

  test('are in the order of the interface, custom ones next, signature last', () => {
    const all = Object.fromEntries(resultFlags.map((flag) => [flag, true])) as Record<ResultFlag, boolean>
    expect(resultParameters(result, all, custom, ending).map(([name]) => name)).toEqual([
      'reVerificationSessionId',
      'reVerificationResult',
      'reLivenessResult',
      'reFaceRecognitionResult',
      'reAgeVerificationResult',
      'reGenderVerificationResult',
      'reFaceId',
      'reAge',
      'reGender',
      'reCorrelationId',
      'reTotalFaceCount',
      'reFailedReason',
      'a',
      'b',
      'a',
      'reAssurance',
      'reVerificationId',
      'reCompletedAt',
      'reResultId',
    ])
  })

  test('of a signed address bind it to one session of one verification, with times to the second', () => {
    const signed = resultParameters(result, { includeSignature: true }, [], ending)
    expect(signed).toEqual([
      ['reVerificationId', 'v1'],
      ['reCompletedAt', '1767225600'],
      ['reResultId', 'r1'],
    ])
    const adHoc = resultParameters(result, { includeSignature: true }, [], {
      ...ending,
      verificationId: null,
    })
    expect(adHoc.map(([name]) => name)).toEqual(['reCompletedAt', 'reResultId'])
  })

  test('are left out if they are unwanted or unknown', () => {
    expect(resultParameters(result, {}, custom, ending)).toEqual([])
    const { faceId: _, ...without } = result
    expect(
      resultParameters(
        { ...without, verificationFailedReasons: [] },
        { includeFaceId: true, includeFailedReason: true },
        [],
        ending,
      ),
    ).toEqual([])
  })
})

describe('the final address', () => {
  const sign = (query: string) => `${query}&reSignature=SIG(${query.length})`

  test.each([
    ['https://a.example', [], undefined, 'https://a.example'],
    ['https://a.example/x', [['reAge', '3']], undefined, 'https://a.example/x?reAge=3'],
    ['https://a.example/x?y=1', [['reAge', '3']], undefined, 'https://a.example/x?y=1&reAge=3'],
    ['https://a.example/x?', [['reAge', '3']], undefined, 'https://a.example/x?reAge=3'],
    ['https://a.example/x?y=1#z?', [['reAge', '3']], undefined, 'https://a.example/x?y=1&reAge=3#z?'],
    ['https://a.example/#/r', [], undefined, 'https://a.example/#/r'],
    [
      'https://a.example/x?y=1#z',
      [['reAge', '3']],
      sign,
      'https://a.example/x?y=1&reAge=3&reSignature=SIG(11)#z',
    ],
    ['https://a.example/', [['b', "x&'ü"]], undefined, 'https://a.example/?b=x%26%27%C3%BC'],
  ] as const)('%s with %j', (address, parameters, signer, expected) => {
    expect(redirectAddress(address, parameters, signer)).toBe(expected)
    expect(new URL(expected).href.replace(/\/$/, '')).toBe(expected.replace(/\/$/, ''))
  })
})

describe('an address for people', () => {
  test.each([
    'https://a.example',
    'https://a.example:8443/x?y=1#z',
    'http://127.0.0.1:3000/x',
    'http://localhost/x',
    'http://[::1]:80/',
    'https://bücher.example/',
    'https://a.example/?ref=1&region=2',
  ])('may be %s', (address) => expect(addressFault(address)).toBeUndefined())

  test.each([
    '',
    'a.example',
    '//a.example',
    '/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'https:a.example',
    'https:/a.example',
    'https:\\\\a.example',
    'https://a.example\\@b.example',
    'http://a.example',
    'http://127.0.0.1.a.example/',
    'http://localhost.a.example/',
    'https://user@a.example',
    'https://user:pass@a.example',
    'http://127.0.0.1@a.example',
    'https://',
    'https:///x',
    'https://a.example/ x',
    'https://a.example/\u0000',
    'https://a.example/\n',
    'https://a.example/?reAge=1',
    'https://a.example/?x=1&re%41ge=1',
    `https://a.example/${'x'.repeat(2048)}`,
  ])('may not be %.60s', (address) => expect(addressFault(address)).toBeTypeOf('string'))
})
