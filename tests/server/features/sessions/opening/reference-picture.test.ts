import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { fakeJpeg, frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  act,
  consent,
  newVerification,
  problemOf,
  resultOf,
  signedQuery,
  step,
  submit,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const bert = { person: 'bert' }
const reference = { type: 'Verification' } as const
const pictureOf = (scene: Scene) => ({ bytes: Buffer.from(fakeJpeg(scene)).toString('base64') })
const referenceImage = pictureOf(anna)

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const create = async (body: unknown, on = host) => {
  const created = await on.call(createSession, { body } as never)
  return { ...created, bearer: created.sessionToken }
}
const problem = (body: unknown) => create(body).catch((error) => error)

describe('a session with a reference picture', () => {
  test.each([
    ['Verification', anna, 'Pass', [], 'Pass', 100],
    ['Verification', bert, 'Fail', ['referenceMismatch'], 'Fail', 0],
    ['Verification', { person: null }, 'Fail', ['noFace'], 'NotExecuted', null],
    ['CalculationOnly', anna, 'Pass', [], 'NotExecuted', 100],
    ['CalculationOnly', bert, 'Pass', [], 'NotExecuted', 0],
  ] as const)('%s, and then %o: %s', async (type, person, verdict, reasons, result, similarity) => {
    const created = await create({ verifierConfigs: { reference: { type } }, referenceImage })
    expect(created.capturePlan.verifiers.reference).toBe(true)
    expect((await submit(host, created, person)).verificationResult).toBe(verdict)
    expect(await resultOf(host, created)).toMatchObject({
      verificationResult: verdict,
      verificationFailedReasons: reasons,
      referenceResult: result,
      referenceSimilarity: similarity,
    })
    const { asked } = await host.call(getSessionTimeline, {
      query: { verificationSessionId: created.verificationSessionId },
    })
    expect(asked.reference).toBe(type)
  })

  test('without one is not compared', async () => {
    const created = await create({ verifierConfigs: {} })
    expect(created.capturePlan.verifiers).not.toHaveProperty('reference')
    await submit(host, created, anna)
    expect(await resultOf(host, created)).toMatchObject({
      referenceResult: 'NotExecuted',
      referenceSimilarity: null,
    })
  })

  test('compares at the given threshold', async () => {
    for (const [threshold, verdict] of [
      [0, 'Pass'],
      [1, 'Fail'],
    ] as const) {
      const verifierConfigs = { reference: { ...reference, threshold } }
      const created = await create({ verifierConfigs, referenceImage })
      expect((await submit(host, created, bert)).verificationResult).toBe(verdict)
    }
  })

  test('stores no face of a different person', async () => {
    const verifierConfigs = { reference, faceRecognition: { type: 'CalculationOnly' } }
    const collectionId = await newVerification(host)
    const created = await create({ verifierConfigs, referenceImage, collectionId })
    await submit(host, created, bert)
    const result = await resultOf(host, created)
    expect(result).not.toHaveProperty('faceId')
    expect(result.faceRecognitionResult).toBe('NotExecuted')
  })

  test('stores the embedding until its end, and never the picture', async () => {
    const { sessionStore } = host.services
    const created = await create({ verifierConfigs: { reference }, referenceImage })
    const read = async () => (await sessionStore.read(host.accountId, created.verificationSessionId))!.value
    const open = await read()
    expect(open.reference).toMatchObject({ embeddingModel: 'fr-feature/2' })
    expect(open.reference!.embedding).toHaveLength(512)
    expect(JSON.stringify(open)).not.toContain(referenceImage.bytes.slice(0, 40))
    await submit(host, created, anna)
    expect(await read()).not.toHaveProperty('reference')
    const expired = await create({ verifierConfigs: { reference }, referenceImage })
    host.pass(15 * 60_000)
    expect((await resultOf(host, expired)).referenceResult).toBe('NotExecuted')
    const { value } = (await sessionStore.read(host.accountId, expired.verificationSessionId))!
    expect(value).not.toHaveProperty('reference')
  })

  test('that failed the comparison stays failed, whoever tries again', async () => {
    const verificationId = await newVerification(host, { verifierConfigs: { reference } })
    const created = await create({ verificationId, referenceImage })
    const tried = (number: number, scene: Scene) =>
      host.call(submitSession, {
        bearer: created.bearer,
        body: {
          frames: [{ ...frameOf(scene), challengeStep: 0 }],
          consent,
          acceptsRetry: true,
          try: number,
        },
      })
    expect(await tried(1, bert)).toMatchObject({ verificationResult: null, retry: { attemptsLeft: 2 } })
    await tried(2, anna)
    await tried(3, anna)
    const { verificationFailedReasons, ...result } = await resultOf(host, created)
    expect(verificationFailedReasons).toContain('referenceMismatch')
    expect(result).toMatchObject({ referenceResult: 'Fail', referenceSimilarity: 0 })
  })

  test('works with the liveness check', async () => {
    const verifierConfigs = { reference, liveness: { type: 'Verification', evidence: 'optional' } }
    const created = await create({ verifierConfigs, referenceImage })
    const { next } = await step(host, created, 0, anna)
    await act(host, created, next!, anna)
    await submit(host, created, anna)
    expect(await resultOf(host, created)).toMatchObject({
      verificationResult: 'Pass',
      referenceResult: 'Pass',
    })
  })

  test('takes the picture from an address', async () => {
    const asked: string[] = []
    const get: Outbound['get'] = async ({ address }) => {
      asked.push(address)
      return fakeJpeg(anna)
    }
    const outbound = { get } as Outbound
    const other = await startHost({ ports: { outbound } })
    const url = 'https://hr.example/badge.jpg'
    const created = await create({ verifierConfigs: { reference }, referenceImage: { url } }, other)
    await submit(other, created, anna)
    expect((await resultOf(other, created)).referenceSimilarity).toBe(100)
    expect(asked).toEqual([url])
    await other.close()
  })
})

describe('a reference picture that is refused', () => {
  const on = { verifierConfigs: { reference } }
  test.each<readonly [string, unknown, string, string]>([
    ['missing', on, '#/referenceImage', 'invalid_request'],
    [
      'missing if the comparison is only calculated',
      { verifierConfigs: { reference: { type: 'CalculationOnly' } } },
      '#/referenceImage',
      'invalid_request',
    ],
    [
      'given if nothing is compared',
      { verifierConfigs: {}, referenceImage },
      '#/referenceImage',
      'invalid_request',
    ],
    [
      'given if it is switched off',
      { verifierConfigs: { reference: { type: 'Disabled' } }, referenceImage },
      '#/referenceImage',
      'invalid_request',
    ],
    ['null', { ...on, referenceImage: null }, '#/referenceImage', 'invalid_request'],
    ['empty', { ...on, referenceImage: {} }, '#/referenceImage', 'invalid_request'],
    [
      'given twice',
      { ...on, referenceImage: { ...referenceImage, url: 'https://a.example/b.jpg' } },
      '#/referenceImage',
      'invalid_request',
    ],
    [
      'of an unknown member',
      { ...on, referenceImage: { ...referenceImage, page: 1 } },
      '#/referenceImage/page',
      'unknown_name',
    ],
    [
      'no picture',
      { ...on, referenceImage: { bytes: 'AAAA' } },
      '#/referenceImage/bytes',
      'unreadable_image',
    ],
    [
      'of no address',
      { ...on, referenceImage: { url: 'ftp://a.example' } },
      '#/referenceImage/url',
      'unreadable_image',
    ],
    [
      'without a face',
      { ...on, referenceImage: pictureOf({ person: null }) },
      '#/referenceImage',
      'invalid_request',
    ],
    [
      'with two faces',
      { ...on, referenceImage: pictureOf({ ...anna, others: 1 }) },
      '#/referenceImage',
      'invalid_request',
    ],
    [
      'of an unknown type',
      { verifierConfigs: { reference: { type: 'Match' } }, referenceImage },
      '#/verifierConfigs/reference/type',
      'invalid_request',
    ],
    ...[-1, 101, 80.5, '80', null].map(
      (threshold) =>
        [
          `against a threshold of ${threshold}`,
          { verifierConfigs: { reference: { ...reference, threshold } }, referenceImage },
          '#/verifierConfigs/reference/threshold',
          'invalid_request',
        ] as const,
    ),
  ])('%s', async (_, body, pointer, code) => {
    expect(await problem(body)).toMatchObject({ status: 400, code, errors: [{ pointer }] })
  })

  test.each([0, 1, 99, 100])('accepts a threshold of %i', async (threshold) => {
    expect(
      await create({ verifierConfigs: { reference: { ...reference, threshold } }, referenceImage }),
    ).toBeDefined()
  })

  test('reports the number of faces', async () => {
    const { errors } = await problem({ ...on, referenceImage: pictureOf({ ...anna, others: 2 }) })
    expect(errors[0].message).toBe('Must show one face; 3 were found.')
  })

  test('is checked after permissions, existence and limits; the picture is analysed last', async () => {
    const calls = () => host.analysis.calls
    const before = calls()
    const verificationId = await newVerification(host, { verifierConfigs: { reference } })
    const unknown = { verificationId: 'nobody', referenceImage }
    expect(await problemOf(create(unknown))).toBe('not_found')
    expect(await problemOf(create({ verificationId, verifierConfigs: {}, referenceImage }))).toBe('forbidden')
    expect(await problemOf(create({ verificationId, collectionId: 'nowhere' }))).toBe('not_found')
    expect((await problem({ verificationId })).errors).toMatchObject([{ pointer: '#/referenceImage' }])
    expect(calls()).toBe(before)
    const limited = await startHost({ ports: { attemptLimit: 1 } })
    const person = { ...on, externalId: 'u1', referenceImage }
    await submit(limited, await create(person, limited), bert)
    const seen = limited.analysis.calls
    expect(await problemOf(create(person, limited))).toBe('too_many_requests')
    expect(limited.analysis.calls).toBe(seen)
    await limited.close()
  })
})

describe('a link to a verification with a reference picture', () => {
  test('does not open, gives the reason, and keeps its nonce', async () => {
    const verificationId = await newVerification(host, { verifierConfigs: { reference } })
    const queryString = await signedQuery(host, '', { enableNonce: true })
    const open = () => host.call(initRedirectSession, { body: { verificationId, queryString } })
    for (const attempt of [open, open]) {
      const refused = await attempt().catch((error) => error)
      expect(refused).toMatchObject({ status: 400, code: 'invalid_request' })
      expect(refused.errors).toEqual([
        { pointer: '#/verificationId', message: expect.stringContaining('Open it with create-session') },
      ])
    }
  })

  test('has no parameter that could supply one, or switch the comparison off', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: { reference },
      sessionOverrideConfig: { allowVerifierOverrides: true },
    })
    for (const query of [`reReferenceImage=${referenceImage.bytes}`, 'reDisableReferenceVerifier=true']) {
      const queryString = await signedQuery(host, query)
      const opening = host.call(initRedirectSession, { body: { verificationId, queryString } })
      expect(await problemOf(opening)).toBe('invalid_request')
    }
  })
})
