import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'
import { createVerificationStore } from '#server/features/verifications/verification-store.ts'
import {
  createOrUpdateVerification,
  createVerification,
  getVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { resultFlags } from '#shared/contract/configuration/verification-config.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Problem } from '#shared/problem.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, openSession, problemOf } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

let names = 0
const newName = () => `named ${++names}`
const create = (verificationConfig: unknown, beside = {}) =>
  host.call(createVerification, { body: { name: newName(), verificationConfig, ...beside } as never })
const refusal = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => {
      throw new Error('It was accepted')
    },
    (problem) => problem,
  )

describe('an undeclared name', () => {
  test.each([
    [{ verifierConfig: {} }, '/verifierConfig', 'verifierConfigs'],
    [{ verifierConfigs: { livness: {} } }, '/verifierConfigs/livness', 'liveness'],
    [{ verifierConfigs: { Liveness: {} } }, '/verifierConfigs/Liveness', 'liveness'],
    [{ verifierConfigs: { liveness: { typ: 'x' } } }, '/verifierConfigs/liveness/typ', 'type'],
    [{ verifierConfigs: { age: { treshold: 1 } } }, '/verifierConfigs/age/treshold', undefined],
    [
      { verifierConfigs: { age: { thresholdConfig: { treshold: 1 } } } },
      '/verifierConfigs/age/thresholdConfig/treshold',
      'threshold',
    ],
    [
      { verifierConfigs: { age: { rangeConfig: { minimal: 1 } } } },
      '/verifierConfigs/age/rangeConfig/minimal',
      'minimum',
    ],
    [{ verifierConfigs: { gender: { kind: 1 } } }, '/verifierConfigs/gender/kind', undefined],
    [{ verifierConfigs: { emotion: { purpos: 1 } } }, '/verifierConfigs/emotion/purpos', 'purpose'],
    [{ verifierConfigs: { faceRecognition: { t: 1 } } }, '/verifierConfigs/faceRecognition/t', undefined],
    [
      { verifierConfigs: { commonSettings: { 'a/b~': 1 } } },
      '/verifierConfigs/commonSettings/a~1b~0',
      undefined,
    ],
    [{ redirectConfig: { passed: 1 } }, '/redirectConfig/passed', 'passedUrl'],
    [{ resultParameterConfig: { includeAges: true } }, '/resultParameterConfig/includeAges', 'includeAge'],
    [{ securityConfig: { forceSigned: 1 } }, '/securityConfig/forceSigned', 'forceSignedInput'],
    [{ sessionOverrideConfig: { allow: 1 } }, '/sessionOverrideConfig/allow', undefined],
    [{ webhookConfig: { callbackUrl: 1 } }, '/webhookConfig/callbackUrl', 'eventCallbackUrl'],
  ])(
    'is refused with its position and the nearest known one, or all if none is near: %j',
    async (config, pointer, nearest) => {
      const { code, status, errors } = await refusal(create(config))
      expect({ code, status }).toEqual({ code: 'unknown_name', status: 400 })
      expect(errors).toEqual([
        {
          pointer: `#/verificationConfig${pointer}`,
          message: expect.stringContaining(
            nearest === undefined ? 'Is not a known name. Known names: ' : `did you mean ${nearest}?`,
          ),
        },
      ])
    },
  )

  test('is one entry each, next to any other error, and gives the problem its code', async () => {
    const liveness = { type: 'verification', chalengeType: 'Balanced' }
    const { code, errors } = await refusal(create({ verifierConfigs: { liveness, a: 1, b: 2 } }))
    expect(code).toBe('unknown_name')
    const root = '#/verificationConfig/verifierConfigs'
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      `${root}/a`,
      `${root}/b`,
      `${root}/liveness/chalengeType`,
      `${root}/liveness/type`,
    ])
  })

  test('is refused by every operation with a configuration', async () => {
    const verificationConfig = { redirectConfig: { okUrl: 'https://a.example' } } as never
    const verificationId = await newVerification(host)
    const updated = host.call(updateVerification, { body: { verificationId, verificationConfig } })
    expect(await problemOf(updated)).toBe('unknown_name')
    const written = host.call(createOrUpdateVerification, { body: { name: newName(), verificationConfig } })
    expect(await problemOf(written)).toBe('unknown_name')
    const verifierConfigs = { livness: { type: 'Verification' } } as never
    const { code, errors } = await refusal(host.call(createSession, { body: { verifierConfigs } }))
    expect([code, errors[0]?.pointer]).toEqual(['unknown_name', '#/verifierConfigs/livness'])
  })

  test('is tolerated next to the configuration, and an invalid value keeps its code', async () => {
    await create({}, { colour: 'blue' })
    const { code } = await refusal(create({ verifierConfigs: { liveness: { type: 'x' } } }))
    expect(code).toBe('invalid_request')
  })
})

test('that begins with x- is accepted in every section and returned unchanged', async () => {
  const own = { 'x-team': { a: [1, null] }, 'x-': 'y' }
  const verificationConfig = {
    ...own,
    verifierConfigs: {
      ...own,
      liveness: { type: 'Verification', ...own },
      age: { ...own, thresholdConfig: own, rangeConfig: own },
      gender: own,
      emotion: own,
      faceRecognition: own,
      commonSettings: own,
    },
    redirectConfig: own,
    resultParameterConfig: { ...Object.fromEntries(resultFlags.map((flag) => [flag, true])), ...own },
    securityConfig: { forceSignedInput: true, ...own },
    sessionOverrideConfig: own,
    webhookConfig: own,
  }
  const { verificationId } = await create(verificationConfig)
  const { verification } = await host.call(getVerification, { query: { verificationId } })
  expect(verification.verificationConfig).toEqual(verificationConfig)
})

describe('a configuration from before names were refused', () => {
  const dirty = {
    securityConfig: { forceSignedInput: true },
    verifierConfigs: { livness: { type: 'x' }, gender: { typ: 1 } },
  }

  /** Writes a configuration without going through the contract, as an earlier version did. */
  async function stored(): Promise<string> {
    const verificationId = await newVerification(host)
    const shelf = createVerificationStore(host.store)
    const before = (await shelf.read(host.accountId, verificationId))!
    await shelf.replace(host.accountId, before, { ...before.value, verificationConfig: dirty as never }, null)
    return verificationId
  }

  test('is read, used and renamed as before; its next configuration must be valid', async () => {
    const verificationId = await stored()
    const read = await host.call(getVerification, { query: { verificationId } })
    expect(read.verification.verificationConfig).toEqual(dirty)
    await openSession(host, verificationId)
    await host.call(updateVerification, { body: { verificationId, name: newName() } })
    const again = host.call(updateVerification, {
      body: { verificationId, verificationConfig: read.verification.verificationConfig },
    })
    expect(await problemOf(again)).toBe('unknown_name')
  })

  test('is reported at the start, with the positions of the names', async () => {
    const verificationId = await stored()
    const found = await host.services.verifications.withUnknownNames()
    const one = found.find((names) => names.verificationId === verificationId)
    expect(one?.places).toEqual(['verifierConfigs.gender.typ', 'verifierConfigs.livness'])
    const unknownNames = Array.from({ length: 22 }, () => one!)
    const settings = readSettings({})
    const warnings = warningsOf(settings, false, {
      opensWithFormer: false,
      adminKeyInWebhooks: false,
      unknownNames,
    })
    const told = warnings.filter(({ code }) => code === 'unknown_names')
    expect(told).toHaveLength(21)
    expect(told[0]!.meaning).toContain('verifierConfigs.livness')
    expect(told[0]!.meaning).toContain(verificationId)
    expect(told[20]!.meaning).toContain('2 further')
  })
})
