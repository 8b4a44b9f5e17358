import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getAllVerifications,
  getVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { getCollection } from '#shared/contract/recognition/recognition.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../../../support/host.ts'
import {
  newVerification,
  openSession,
  problemOf,
  resultOf,
  signedQuery,
  submit,
} from '../../../support/visit.ts'

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
const update = (body: unknown, credential = {}) =>
  host.call(updateVerification, { body, ...credential } as never)
const createOrUpdate = (body: unknown, credential = {}) =>
  host.call(createOrUpdateVerification, { body, ...credential } as never)
const remove = (verificationId: string, credential = {}) =>
  host.call(deleteVerification, { query: { verificationId }, ...credential })
const newAccount = async () => ({ apiKey: (await host.services.accounts.create('Another')).apiKey })

describe('POST /v1/verification/create', () => {
  test('stores what was sent, and fills in forceSignedInput', async () => {
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

  test.each([
    [{ forceSignedInput: false }, { forceSignedInput: false }],
    [{ forceSignedInput: true }, { forceSignedInput: true }],
    [{}, { forceSignedInput: true }],
  ])('of securityConfig %j it keeps %j', async (securityConfig, kept) => {
    const { verificationId } = await create({ securityConfig })
    expect((await read(verificationId)).verificationConfig).toEqual({ securityConfig: kept })
  })

  test("returns names of the caller's own", async () => {
    const config = {
      verifierConfigs: { age: {}, 'x-future': { x: [1] } },
      securityConfig: { forceSignedInput: false, 'x-more': 'y' },
      'x-future': { z: null },
    }
    const { verificationId } = await create(config)
    expect((await read(verificationId)).verificationConfig).toEqual(config)
    const opened = await openSession(host, await newVerification(host, config))
    expect(opened.capturePlan.verifiers).toMatchObject({ liveness: false, age: false })
  })

  test.each([
    null,
    { verifierConfigs: null },
    { verifierConfigs: { liveness: { type: null } } },
    { redirectConfig: { passedUrl: null }, webhookConfig: null },
  ])('treats null as absent: %j', async (config) => {
    const { verificationId } = await create(config as never)
    const { verificationConfig: kept } = await read(verificationId)
    expect(JSON.stringify(kept)).not.toContain('null')
    expect(kept.securityConfig).toEqual({ forceSignedInput: true })
  })

  test.each([
    ['undefined', undefined],
    ['an empty object', {}],
  ])('accepts %s as a configuration', async (_name, verificationConfig) => {
    const { verificationId } = await create(verificationConfig)
    const { created, lastModified, verificationConfig: kept } = await read(verificationId)
    expect(kept).toEqual({ securityConfig: { forceSignedInput: true } })
    expect(lastModified).toBe(created)
    expect(new Date(created).toISOString()).toBe(created)
  })

  test.each([
    ['verifierConfigs', 'liveness', 'type', ['Disabled', 'Verification']],
    ['verifierConfigs', 'liveness', 'challengeType', ['Balanced', 'Advanced']],
    ['verifierConfigs', 'age', 'type', ['Disabled', 'CalculationOnly']],
    [
      'verifierConfigs',
      'faceRecognition',
      'type',
      [
        'Disabled',
        'CalculationOnly',
        'DuplicateVerification',
        'UniqueMatchVerification',
        'MatchVerification',
      ],
    ],
    ['verifierConfigs', 'gender', 'type', ['Disabled', 'CalculationOnly']],
    ['verifierConfigs', 'commonSettings', 'failOnMultipleFacesDetected', [true, false]],
  ])('accepts each value of %s.%s.%s', async (section, verifier, member, values) => {
    for (const value of values) {
      const config = { [section]: { [verifier]: { [member]: value } } }
      expect(await read((await create(config)).verificationId)).toMatchObject({ verificationConfig: config })
    }
  })

  test.each([
    [{ threshold: 2 ** 31 - 1, direction: 'Above' }],
    [{ threshold: -(2 ** 31), direction: 'Below' }],
    [{ threshold: 18, direction: 'Below', marginInYears: 2.5 }],
  ])('accepts the threshold %j', async (thresholdConfig) => {
    await create({ verifierConfigs: { age: { type: 'ThresholdVerification', thresholdConfig } } })
  })

  test.each([
    ['1 character', 'x', 'no problem'],
    ['1024 characters', 'y'.repeat(1024), 'no problem'],
    ['no character', '', 'invalid_request'],
    ['1025 characters', 'z'.repeat(1025), 'invalid_request'],
    ['a number', 7, 'invalid_request'],
    ['null', null, 'invalid_request'],
  ])('answers a name of %s with: %s', async (_name, name, code) => {
    expect(await problemOf(create({}, name as string))).toBe(code)
  })

  test('refuses a configuration beyond 64 kB of JSON', async () => {
    const padded = (length: number) => ({
      'x-padding': 'x'.repeat(length - JSON.stringify({ 'x-padding': '' }).length),
    })
    await create(padded(65_536))
    await expect(create(padded(65_537))).rejects.toMatchObject({
      errors: [{ pointer: '#/verificationConfig' }],
    })
  })

  test('answers 409 to an existing name, even when twenty come at once', async () => {
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
    [
      { verifierConfigs: { age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18 } } } },
      '/verifierConfigs/age/thresholdConfig',
    ],
    [{ verifierConfigs: { age: { type: 'RangeVerification' } } }, '/verifierConfigs/age/rangeConfig'],
    [
      { verifierConfigs: { age: { type: 'RangeVerification', rangeConfig: { minimum: 18 } } } },
      '/verifierConfigs/age/rangeConfig',
    ],
    [
      { verifierConfigs: { age: { thresholdConfig: { threshold: 2 ** 31 } } } },
      '/verifierConfigs/age/thresholdConfig/threshold',
    ],
    [
      { verifierConfigs: { age: { thresholdConfig: { threshold: -(2 ** 31) - 1 } } } },
      '/verifierConfigs/age/thresholdConfig/threshold',
    ],
    [
      { verifierConfigs: { age: { thresholdConfig: { threshold: '18' } } } },
      '/verifierConfigs/age/thresholdConfig/threshold',
    ],
    [
      { verifierConfigs: { age: { thresholdConfig: { direction: 'above' } } } },
      '/verifierConfigs/age/thresholdConfig/direction',
    ],
    [
      { verifierConfigs: { age: { rangeConfig: { maximum: 1.5 } } } },
      '/verifierConfigs/age/rangeConfig/maximum',
    ],
    [[], ''],
    ['{}', ''],
    [{ verifierConfigs: [] }, '/verifierConfigs'],
    [{ verifierConfigs: { liveness: [] } }, '/verifierConfigs/liveness'],
    [{ verifierConfigs: { age: { rangeConfig: [] } } }, '/verifierConfigs/age/rangeConfig'],
    [{ verifierConfigs: { commonSettings: 1 } }, '/verifierConfigs/commonSettings'],
    [{ redirectConfig: [] }, '/redirectConfig'],
    [{ resultParameterConfig: [] }, '/resultParameterConfig'],
    [{ securityConfig: [] }, '/securityConfig'],
    [{ sessionOverrideConfig: [] }, '/sessionOverrideConfig'],
    [{ webhookConfig: [] }, '/webhookConfig'],
    [
      { sessionOverrideConfig: { allowVerifierOverrides: 1 } },
      '/sessionOverrideConfig/allowVerifierOverrides',
    ],
    [{ securityConfig: { forceSignedInput: 'false' } }, '/securityConfig/forceSignedInput'],
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
  ])('refuses %j', async (config, pointer) => {
    await expect(create(config)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#/verificationConfig${pointer}` }],
    })
  })

  test("sets a webhook's target only with every scope of the key that it carries", async () => {
    const { token } = await host.call(getToken, { query: {} })
    const body = {
      name: 'Aimed',
      verificationConfig: { webhookConfig: { eventCallbackUrl: 'https://a.example' } },
    }
    expect(await problemOf(host.call(createVerification, { body, bearer: token }))).toBe('forbidden')
    await host.call(createVerification, { body: { name: 'Plain' }, bearer: token })
  })
})

describe('the collection of a verification', () => {
  const known = async (collectionId: string) =>
    problemOf(host.call(getCollection, { query: { collectionId } }))

  test('is created and deleted with it', async () => {
    const { verificationId } = await create({})
    expect(await known(verificationId)).toBe('no problem')
    await update({ verificationId, name: 'Another name for the same faces' })
    expect(await known(verificationId)).toBe('no problem')
    await remove(verificationId)
    expect(await known(verificationId)).toBe('not_found')
  })

  test('takes its faces with it', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
    })
    const kept = async () => {
      const keys: string[] = []
      for await (const { key } of host.store.list('face')) keys.push(key)
      return keys.length
    }
    const before = await kept()
    await submit(host, await openSession(host, verificationId), { person: 'anna' })
    expect(await kept()).toBeGreaterThan(before)
    await remove(verificationId)
    expect(await kept()).toBe(before)
  })
})

describe('GET /v1/verification/get-all', () => {
  test('lists the overviews of the account, the oldest first', async () => {
    const account = await newAccount()
    const list = async () => (await host.call(getAllVerifications, account)).verifications
    expect(await list()).toEqual([])
    const made: string[] = []
    for (const name of ['b', 'a', 'c']) {
      made.push((await host.call(createVerification, { body: { name }, ...account })).verificationId)
      host.pass(1000)
    }
    const listed = await list()
    expect(listed.map(({ verificationId }) => verificationId)).toEqual(made)
    expect(Object.keys(listed[0]!).sort()).toEqual(['created', 'lastModified', 'name', 'verificationId'])
    await remove(made[1]!, account)
    expect((await list()).map(({ name }) => name)).toEqual(['b', 'c'])
  })
})

describe('POST /v1/verification/create-or-update', () => {
  test('creates a new name, and replaces the configuration of an existing one', async () => {
    const first = await createOrUpdate({
      name: 'Door',
      verificationConfig: { resultParameterConfig: { includeAge: true } },
    })
    expect(first.wasCreated).toBe(true)
    const before = await read(first.verificationId)
    const second = await createOrUpdate({ name: 'Door', verificationConfig: { redirectConfig: {} } })
    expect(second).toEqual({ verificationId: first.verificationId, wasCreated: false })
    const after = await read(first.verificationId)
    expect(after.verificationConfig).toEqual({
      redirectConfig: {},
      securityConfig: { forceSignedInput: true },
    })
    expect(after.created).toBe(before.created)
    expect(after.lastModified > before.lastModified).toBe(true)
  })

  test('creates one verification when twenty come at once, and treats other cases as other names', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => createOrUpdate({ name: 'Crowd' })))
    expect(new Set(answers.map(({ verificationId }) => verificationId)).size).toBe(1)
    expect(answers.filter(({ wasCreated }) => wasCreated)).toHaveLength(1)
    expect((await createOrUpdate({ name: 'crowd' })).wasCreated).toBe(true)
  })

  test('creates a deleted one again', async () => {
    const { verificationId } = await createOrUpdate({ name: 'Phoenix' })
    await remove(verificationId)
    const again = await createOrUpdate({ name: 'Phoenix' })
    expect(again.wasCreated).toBe(true)
    expect(again.verificationId).not.toBe(verificationId)
  })

  test.each([{}, { name: '' }, { name: 'x', verificationConfig: [] }, []])('refuses %j', async (body) => {
    expect(await problemOf(createOrUpdate(body))).toBe('invalid_request')
  })
})

describe('PUT /v1/verification/update', () => {
  test('changes name and configuration, and frees the previous name', async () => {
    const { verificationId } = await create({ redirectConfig: {} }, 'Before')
    const before = await read(verificationId)
    const verificationConfig = { securityConfig: { forceSignedInput: false } }
    expect(await update({ verificationId, name: 'After', verificationConfig })).toEqual({ verificationId })
    const after = await read(verificationId)
    expect(after).toEqual({
      ...before,
      name: 'After',
      verificationConfig,
      lastModified: after.lastModified,
    })
    expect(after.lastModified > before.lastModified).toBe(true)
    await create({}, 'Before')
    expect(await problemOf(create({}, 'After'))).toBe('conflict')
  })

  test('keeps omitted members', async () => {
    const { verificationId } = await create({ redirectConfig: { passedUrl: 'https://a.example' } })
    const before = await read(verificationId)
    await update({ verificationId })
    const after = await read(verificationId)
    expect(after).toEqual({ ...before, lastModified: after.lastModified })
  })

  test('answers 409 to the name of another one, not to its own', async () => {
    const { verificationId } = await create({}, 'Mine')
    await create({}, 'Theirs')
    expect(await problemOf(update({ verificationId, name: 'Theirs', verificationConfig: {} }))).toBe(
      'conflict',
    )
    expect((await read(verificationId)).name).toBe('Mine')
    await update({ verificationId, name: 'Mine', verificationConfig: {} })
  })

  test('answers 404 to an unknown id, and to one of another account', async () => {
    expect(await problemOf(update({ verificationId: 'x', name: 'y' }))).toBe('not_found')
    const { verificationId } = await create({})
    expect(await problemOf(update({ verificationId, name: 'y' }, await newAccount()))).toBe('not_found')
  })

  test('gives a name to one verification when many request it at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => create({})))
    const codes = await Promise.all(
      made.map(({ verificationId }) => problemOf(update({ verificationId, name: 'Wanted' }))),
    )
    expect(codes.filter((code) => code === 'no problem')).toHaveLength(1)
    expect(codes.filter((code) => code === 'conflict')).toHaveLength(7)
    const names = await Promise.all(made.map(async ({ verificationId }) => (await read(verificationId)).name))
    expect(names.filter((name) => name === 'Wanted')).toHaveLength(1)
  })

  test('loses neither of two concurrent changes', async () => {
    const { verificationId } = await create({})
    const verificationConfig = { securityConfig: { forceSignedInput: false } }
    await Promise.all([
      update({ verificationId, name: 'Renamed at once' }),
      update({ verificationId, verificationConfig }),
    ])
    expect(await read(verificationId)).toMatchObject({ name: 'Renamed at once', verificationConfig })
  })

  test.each([
    [{ name: 'x' }, '/verificationId'],
    [{ verificationId: '', name: 'x' }, '/verificationId'],
    [{ verificationId: 'x', name: '' }, '/name'],
    [{ verificationId: 'x', verificationConfig: [] }, '/verificationConfig'],
    [[], ''],
  ])('refuses %j', async (body, pointer) => {
    await expect(update(body)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `#${pointer}` }],
    })
  })

  test("needs every scope of the webhook's key only if its target changes", async () => {
    const { token } = await host.call(getToken, { query: {} })
    const aimed = (eventCallbackUrl: string) => ({ webhookConfig: { eventCallbackUrl } })
    const { verificationId } = await create(aimed('https://a.example'))
    const change = (verificationConfig: unknown) =>
      problemOf(update({ verificationId, verificationConfig }, { bearer: token }))
    expect(await change(aimed('https://b.example'))).toBe('forbidden')
    expect(await change({ ...aimed('https://a.example'), redirectConfig: {} })).toBe('no problem')
    expect(await problemOf(update({ verificationId, name: 'Still aimed' }, { bearer: token }))).toBe(
      'no problem',
    )
    const body = { name: 'Still aimed', verificationConfig: aimed('https://c.example') }
    expect(await problemOf(createOrUpdate(body, { bearer: token }))).toBe('forbidden')
    expect(await change({})).toBe('no problem')
  })
})

describe('DELETE /v1/verification/delete', () => {
  test('removes the verification and frees its name; a second time is 404', async () => {
    const { verificationId } = await create({}, 'Gone')
    expect(await remove(verificationId)).toEqual({})
    expect(await problemOf(read(verificationId))).toBe('not_found')
    expect(await problemOf(remove(verificationId))).toBe('not_found')
    expect(await problemOf(update({ verificationId, name: 'x' }))).toBe('not_found')
    await create({}, 'Gone')
  })

  test('leaves nothing of it in the store but the record of the deletion', async () => {
    const { apiKey } = await host.services.accounts.create('Tidy')
    const keysOf = async () => {
      const keys: string[] = []
      for await (const { key } of host.store.list('')) keys.push(key)
      // Owners are notified when a key changes, and the notification is itself a record of the change.
      return keys.filter((key) => !/^(api-key|audit-outbox|owner-notice|request-log)/.test(key))
    }
    const before = await keysOf()
    const { verificationId } = await host.call(createVerification, { body: { name: 'Tidy' }, apiKey })
    await remove(verificationId, { apiKey })
    expect(await keysOf()).toEqual(before)
  })

  test('answers 404 to an unknown id and to one of another account, 400 to none', async () => {
    const { verificationId } = await create({})
    expect(await problemOf(remove('x'))).toBe('not_found')
    expect(await problemOf(remove(verificationId, await newAccount()))).toBe('not_found')
    expect(await problemOf(host.call(deleteVerification, { query: {} } as never))).toBe('invalid_request')
  })

  test('answers 404 to its links, and ends its open sessions', async () => {
    const verificationId = await newVerification(host)
    const [done, open] = [await openSession(host, verificationId), await openSession(host, verificationId)]
    await submit(host, done, { person: 'anna' })
    const queryString = await signedQuery(host, '')
    await remove(verificationId)
    const body = { verificationId, queryString }
    expect(await problemOf(host.call(initRedirectSession, { body }))).toBe('not_found')
    expect((await resultOf(host, done)).verificationResult).toBe('Pass')
    expect(await problemOf(submit(host, open, { person: 'anna' }))).toBe('session_expired')
    expect((await resultOf(host, open)).verificationFailedReasons).toEqual(['sessionExpired'])
  })
})
