import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getToken } from '#shared/contract/security.ts'
import { createVerification, getVerification } from '#shared/contract/verification.ts'
import { type Host, startHost } from '../support/host.ts'
import { problemOf } from '../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

let names = 0
const create = (verificationConfig: unknown, name = `v ${++names}`) =>
  host.call(createVerification, { body: { name, verificationConfig } } as never)
const read = async (verificationId: string) =>
  (await host.call(getVerification, { query: { verificationId } })).verification

describe('POST /v1/verification/create', () => {
  test('keeps what was sent, and fills in forceSignedInput', async () => {
    const config = {
      verifierConfigs: {
        liveness: { type: 'Verification', challengeType: 'Advanced', allowAlternative: true },
        age: { type: 'RangeVerification', rangeConfig: { minimum: 18, maximum: 18 } },
        emotion: { type: 'CalculationOnly', purpose: 'To learn whether the film is funny.' },
        commonSettings: { failOnMultipleFacesDetected: true },
      },
      redirectConfig: { passedUrl: 'https://a.example/?x=1#y' },
      resultParameterConfig: { includeAge: true, includeFaceId: false },
      webhookConfig: { eventCallbackUrl: 'http://127.0.0.1:1/hook' },
    }
    const { verificationId } = await create(config, 'Entrance')
    expect(await read(verificationId)).toMatchObject({
      verificationId,
      name: 'Entrance',
      verificationConfig: { ...config, securityConfig: { forceSignedInput: true } },
    })
  })

  test('leaves forceSignedInput as it was said, and drops what it does not know', async () => {
    const { verificationId } = await create({ securityConfig: { forceSignedInput: false }, future: { x: 1 } })
    expect((await read(verificationId)).verificationConfig).toEqual({
      securityConfig: { forceSignedInput: false },
    })
  })

  test('takes no configuration at all', async () => {
    const { verificationId } = await host.call(createVerification, { body: { name: 'Bare' } })
    const { created, lastModified } = await read(verificationId)
    expect(lastModified).toBe(created)
    expect(new Date(created).toISOString()).toBe(created)
  })

  test('answers 409 to a name that exists, also when twenty come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => problemOf(create({}, 'Same'))))
    expect(answers.filter((code) => code === 'no problem')).toHaveLength(1)
    expect(answers.filter((code) => code === 'conflict')).toHaveLength(19)
    const { apiKey } = await host.services.accounts.create('Other')
    await host.call(createVerification, { body: { name: 'Same' }, apiKey })
  })

  test.each([
    [{ verifierConfigs: { liveness: { type: 'verification' } } }, '/verifierConfigs/liveness/type'],
    [{ verifierConfigs: { liveness: { challengeType: 'Hard' } } }, '/verifierConfigs/liveness/challengeType'],
    [{ verifierConfigs: { age: { type: 'ThresholdVerification' } } }, '/verifierConfigs/age/thresholdConfig'],
    [{ verifierConfigs: { age: { type: 'RangeVerification' } } }, '/verifierConfigs/age/rangeConfig'],
    [
      { verifierConfigs: { age: { rangeConfig: { minimum: 19, maximum: 18 } } } },
      '/verifierConfigs/age/rangeConfig/maximum',
    ],
    [
      { verifierConfigs: { age: { thresholdConfig: { threshold: 18.5, direction: 'Above' } } } },
      '/verifierConfigs/age/thresholdConfig/threshold',
    ],
    [{ verifierConfigs: { faceRecognition: { type: 'Match' } } }, '/verifierConfigs/faceRecognition/type'],
    [{ verifierConfigs: { gender: { type: 'Verification' } } }, '/verifierConfigs/gender/type'],
    [{ verifierConfigs: { emotion: { type: 'CalculationOnly' } } }, '/verifierConfigs/emotion/purpose'],
    [{ redirectConfig: { passedUrl: 'javascript:alert(1)' } }, '/redirectConfig/passedUrl'],
    [{ redirectConfig: { failedUrl: 'http://a.example' } }, '/redirectConfig/failedUrl'],
    [{ webhookConfig: { eventCallbackUrl: 'x' } }, '/webhookConfig/eventCallbackUrl'],
    [{ resultParameterConfig: { includeAge: 'true' } }, '/resultParameterConfig/includeAge'],
    [{ securityConfig: null }, '/securityConfig'],
  ])('refuses %j', async (config, pointer) => {
    await expect(create(config)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#/verificationConfig${pointer}` }],
    })
  })

  test('lets nobody aim a webhook who has not every scope of the key that it carries', async () => {
    const { token } = await host.call(getToken, { query: {} })
    const body = {
      name: 'Aimed',
      verificationConfig: { webhookConfig: { eventCallbackUrl: 'https://a.example' } },
    }
    expect(await problemOf(host.call(createVerification, { body, bearer: token }))).toBe('forbidden')
    await host.call(createVerification, { body: { name: 'Plain' }, bearer: token })
  })
})
