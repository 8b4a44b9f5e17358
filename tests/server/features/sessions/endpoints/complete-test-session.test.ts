import { afterEach, describe, expect, test } from 'vitest'
import { createKey, getAccount, getKeys } from '#shared/contract/account/account.ts'
import { createWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getToken } from '#shared/contract/security/security.ts'
import {
  type FailedReason,
  getSession,
  initRedirectSession,
  submitSession,
} from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { completeTestSession } from '#shared/contract/sessions/session-test.ts'
import { scopes } from '#shared/endpoint.ts'
import { fakeJpeg, frameOf } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { consent, newVerification, openSession, problemOf, step, submit } from '../../../../support/visit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A host, and the same host as seen by the holder of a test key. */
async function started(options: Parameters<typeof startHost>[0] = {}) {
  const live = await startHost(options)
  closers.push(live.close)
  const { apiKey } = await live.call(createKey, {
    body: { name: 'CI', scopes: [...scopes], mode: 'test' },
  })
  const trial: Host = { ...live, apiKey, call: (endpoint, args) => live.call(endpoint, { apiKey, ...args }) }
  return { live, trial }
}

const everything: VerificationConfig = {
  verifierConfigs: {
    liveness: { type: 'Verification' },
    age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18, direction: 'Above' } },
    faceRecognition: { type: 'CalculationOnly' },
  },
  redirectConfig: { passedUrl: 'https://shop.example/in', failedUrl: 'https://shop.example/out' },
  resultParameterConfig: { includeVerificationResult: true, includeSignature: true },
}

const resultOf = (host: Host, verificationSessionId: string) =>
  host.call(getSessionResult, { query: { verificationSessionId } })

describe('a test key', () => {
  test('belongs to a shadow of the account, and so does a key that it creates', async () => {
    const { live, trial } = await started()
    const { account } = await trial.call(getAccount, {})
    expect(account).toMatchObject({ name: 'Test account', environment: 'test' })
    expect((await live.call(getAccount, {})).account.environment).toBe('live')
    const made = await trial.call(createKey, { body: { name: 'Second', scopes: [] } })
    expect(made.mode).toBe('test')
    expect((await trial.call(getKeys, {})).keys.map(({ name }) => name)).toEqual(['CI', 'Second'])
    expect((await live.call(getKeys, {})).keys.map(({ name }) => name)).toEqual(['First key'])
    const refused = trial.call(createKey, { body: { name: 'Live', scopes: [], mode: 'live' } })
    expect(await problemOf(refused)).toBe('invalid_request')
  })

  test('is of one shadow, even if several are created at once', async () => {
    const host = await startHost()
    closers.push(host.close)
    const body = { name: 'CI', scopes: [...scopes], mode: 'test' as const }
    const made = await Promise.all(Array.from({ length: 8 }, () => host.call(createKey, { body })))
    const ids = await Promise.all(
      made.map(async ({ apiKey }) => (await host.call(getAccount, { apiKey })).account.accountId),
    )
    expect(new Set(ids).size).toBe(1)
  })

  test('creates bearers and sessions that are marked as tests', async () => {
    const { live, trial } = await started()
    const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    for (const [host, environment] of [
      [live, 'live'],
      [trial, 'test'],
    ] as const) {
      expect(claims((await host.call(getToken, { query: {} })).token)).toMatchObject({ environment })
      const { sessionToken } = await host.call(createSession, { body: { verifierConfigs: {} } })
      expect(claims(sessionToken)).toMatchObject({ environment })
    }
  })
})

describe('a test session', () => {
  test('ends as requested permanently, even if its page can offer another try; results and lists say test', async () => {
    const { live, trial } = await started()
    const { verificationSessionId, sessionToken: bearer } = await trial.call(createSession, {
      body: {
        verifierConfigs: { liveness: { type: 'Verification' } },
        testOutcome: { result: 'livenessFailed' },
      },
    })
    const body = {
      frames: [{ ...frameOf({ person: 'anna' }, 500), challengeStep: 0 }],
      consent,
      acceptsRetry: true,
    }
    const answer = await trial.call(submitSession, { bearer, body })
    expect(answer.verificationResult).toBe('Fail')
    expect(answer).not.toHaveProperty('retry')
    expect((await resultOf(trial, verificationSessionId)).environment).toBe('test')
    const { sessions } = await trial.call(getSessions, { query: {} })
    expect(sessions).toMatchObject([
      { verificationSessionId, environment: 'test', verificationResult: 'Fail' },
    ])
    expect((await live.call(getSessions, { query: {} })).sessions).toEqual([])
  })

  test.each([
    ['passed', 'Pass', 'in', 'Pass', 'Pass', 'Pass'],
    ['livenessFailed', 'Fail', 'out', 'Fail', 'Pass', 'NotExecuted'],
    ['ageNotMet', 'Fail', 'out', 'Pass', 'Fail', 'NotExecuted'],
    ['faceMismatch', 'Fail', 'out', 'Pass', 'Pass', 'Fail'],
    ['cameraUnavailable', 'Fail', 'out', 'NotExecuted', 'NotExecuted', 'NotExecuted'],
    ['sessionExpired', 'Fail', 'out', 'Pass', 'Pass', 'NotExecuted'],
  ] as const)('ends as its creation requests: %s', async (result, verdict, way, liveness, age, face) => {
    const { live, trial } = await started()
    const verificationId = await newVerification(trial, everything)
    const testOutcome = { result, age: 21.5, faceId: 'face-1' }
    const opened = await trial.call(createSession, { body: { verificationId, testOutcome } })
    expect(opened.capturePlan.test).toEqual({ outcome: result })
    const submitted = await submit(trial, { ...opened, bearer: opened.sessionToken }, { person: 'anna' })
    expect(submitted.verificationResult).toBe(verdict)
    expect(submitted.redirectUrl).toContain(`https://shop.example/${way}?reVerificationResult=`)
    expect(await resultOf(trial, opened.verificationSessionId)).toMatchObject({
      verificationResult: verdict,
      verificationFailedReasons: result === 'passed' ? [] : [result],
      livenessVerificationResult: liveness,
      ageVerificationResult: age,
      faceRecognitionResult: face,
      ...(result === 'passed' && { estimatedAge: 21.5, faceId: 'face-1' }),
    })
    expect(live.analysis.calls).toBe(0)
    const queryString = submitted.redirectUrl!.split('?')[1]!
    const state = async (host: Host) => (await host.call(validateSignature, { body: { queryString } })).result
    expect([await state(trial), await state(live)]).toEqual(['Valid', 'Invalid'])
  })

  test.each([
    ['Verification', { result: 'passed', referenceSimilarity: 93 }, 'Pass', 93],
    ['Verification', { result: 'referenceMismatch', referenceSimilarity: -1 }, 'Fail', -1],
    ['Verification', { result: 'livenessFailed' }, 'Pass', null],
    ['CalculationOnly', { result: 'passed', referenceSimilarity: 100 }, 'NotExecuted', 100],
    ['Verification', { result: 'noFace', referenceSimilarity: 93 }, 'NotExecuted', null],
    ['Disabled', { result: 'passed', referenceSimilarity: 93 }, 'NotExecuted', null],
  ] as const)(
    'reports the requested similarity to a reference picture: %s, %o',
    async (type, testOutcome, result, similarity) => {
      const { trial } = await started()
      const bytes = Buffer.from(fakeJpeg({ person: 'anna' })).toString('base64')
      const picture = type === 'Disabled' ? {} : { referenceImage: { bytes } }
      const opened = await trial.call(createSession, {
        body: { verifierConfigs: { reference: { type } }, testOutcome, ...picture },
      })
      await submit(trial, { ...opened, bearer: opened.sessionToken }, { person: 'bert' })
      expect(await resultOf(trial, opened.verificationSessionId)).toMatchObject({
        referenceResult: result,
        referenceSimilarity: similarity,
      })
    },
  )

  test.each([-2, 101, 50.5])('refuses a similarity of %d', async (referenceSimilarity) => {
    const { trial } = await started()
    const testOutcome = { result: 'passed' as const, referenceSimilarity }
    const refused = await trial
      .call(createSession, { body: { verifierConfigs: {}, testOutcome } })
      .catch((error) => error)
    expect(refused.errors).toMatchObject([{ pointer: '#/testOutcome/referenceSimilarity' }])
  })

  describe('with an outcome for each try', () => {
    const tried = async (
      tries: readonly { result: FailedReason | 'passed'; age?: number }[],
      attempts = 2,
    ) => {
      const { live, trial } = await started()
      const verificationId = await newVerification(trial, { ...everything, retryConfig: { attempts } })
      const testOutcome = { tries: [...tries] }
      const opened = await trial.call(createSession, { body: { verificationId, testOutcome } })
      const send = (number: number, further: object = { acceptsRetry: true }) =>
        trial.call(submitSession, {
          bearer: opened.sessionToken,
          body: {
            frames: [{ ...frameOf({ person: 'anna' }, 500), challengeStep: 0 }],
            consent,
            try: number,
            ...further,
          },
        })
      return { live, trial, opened, send, result: () => resultOf(trial, opened.verificationSessionId) }
    }

    test('continues with the next one, and the last is final; a repeat is answered as before', async () => {
      const { live, opened, send, result } = await tried([
        { result: 'livenessFailed' },
        { result: 'ageNotMet', age: 16 },
        { result: 'passed', age: 33 },
      ])
      expect(opened.capturePlan.test).toEqual({ outcome: 'livenessFailed' })
      const first = await send(1)
      expect(first).toMatchObject({ verificationResult: null, retry: { attemptsLeft: 2 } })
      expect(await send(1)).toEqual(first)
      expect(await send(2)).toMatchObject({ verificationResult: null, retry: { attemptsLeft: 1 } })
      expect((await send(3)).verificationResult).toBe('Pass')
      expect((await send(2)).retry).toEqual({ attemptsLeft: 1 })
      expect(await result()).toMatchObject({ verificationFailedReasons: [], estimatedAge: 33 })
      expect(live.analysis.calls).toBe(0)
    })

    test('ends with the last of them, even if the configuration has tries left', async () => {
      const { send, result } = await tried([{ result: 'livenessFailed' }, { result: 'faceMismatch' }])
      await send(1)
      expect(await send(2)).toMatchObject({ verificationResult: 'Fail' })
      expect((await result()).verificationFailedReasons).toEqual(['faceMismatch'])
    })

    test('ends with one that passes, that allows no successor, or for a page that offers no other', async () => {
      const passed = await tried([{ result: 'passed' }, { result: 'livenessFailed' }])
      expect((await passed.send(1)).verificationResult).toBe('Pass')
      const alone = await tried([{ result: 'livenessFailed' }, { result: 'passed' }], 0)
      expect((await alone.send(1)).verificationResult).toBe('Fail')
      const older = await tried([{ result: 'livenessFailed' }, { result: 'passed' }])
      expect((await older.send(1, {})).verificationResult).toBe('Fail')
      const final = await tried([{ result: 'cameraUnavailable' }, { result: 'passed' }])
      expect((await final.send(1)).verificationResult).toBe('Fail')
    })

    test('that is abandoned keeps the verdict of the previous try', async () => {
      const { send, result } = await tried([{ result: 'ageNotMet' }, { result: 'passed' }])
      await send(1)
      expect(await send(2, { frames: [], leave: true })).toMatchObject({ verificationResult: 'Fail' })
      expect((await result()).verificationFailedReasons).toEqual(['ageNotMet'])
    })

    test.each([
      ['no try', { tries: [] }],
      ['four', { tries: Array.from({ length: 4 }, () => ({ result: 'passed' })) }],
      ['a try without a result', { tries: [{ age: 21 }] }],
      ['a result beside them', { result: 'passed', tries: [{ result: 'passed' }] }],
      ['an age beside them', { age: 21, tries: [{ result: 'passed' }] }],
      ['neither', { age: 21 }],
    ])('refuses %s', async (_name, testOutcome) => {
      const { trial } = await started()
      const verificationId = await newVerification(trial, everything)
      const body = { verificationId, testOutcome } as never
      expect(await problemOf(trial.call(createSession, { body }))).toBe('invalid_request')
    })

    test('takes no tries within a try', async () => {
      const { trial } = await started()
      const verificationId = await newVerification(trial, everything)
      const testOutcome = { tries: [{ result: 'passed', tries: [{ result: 'passed' }] }] }
      const body = { verificationId, testOutcome } as never
      expect(await problemOf(trial.call(createSession, { body }))).toBe('unknown_name')
    })
  })

  test('accepts each step without an analysis', async () => {
    const { live, trial } = await started()
    const opened = await openSession(trial, await newVerification(trial, everything))
    const { next } = await step(trial, opened, 0, { person: 'anna' })
    expect(await step(trial, opened, next!.step, { person: 'bert' })).toEqual({ next: null, accepted: true })
    expect((await submit(trial, opened)).verificationResult).toBe('Pass')
    expect(live.analysis.calls).toBe(0)
  })

  test('ends as its link requests, and as the page chooses if the link does not', async () => {
    const { trial } = await started()
    const verificationId = await newVerification(trial, everything)
    const chosen = { result: 'multipleFaces' as const }
    const finish = async (query: string, testOutcome?: typeof chosen) => {
      const opened = await openSession(trial, verificationId, query)
      const { bearer } = opened
      const body = { frames: [], consent, ...(testOutcome && { testOutcome }) }
      await trial.call(submitSession, { bearer, body })
      return resultOf(trial, opened.verificationSessionId)
    }
    const asked = 'reTestOutcome=ageUncertain&reTestAge=17.25&reTestFaceId=f'
    expect(await finish(asked, chosen)).toMatchObject({
      verificationFailedReasons: ['ageUncertain'],
      estimatedAge: 17.25,
    })
    expect(await finish('', chosen)).toMatchObject({ verificationFailedReasons: ['multipleFaces'] })
    expect(await finish('')).toMatchObject({ verificationResult: 'Pass' })
  })

  test('ends without consent as any session does', async () => {
    const { trial } = await started()
    const body = { verifierConfigs: {}, testOutcome: { result: 'passed' as const } }
    const opened = await trial.call(createSession, { body })
    const declined = { frames: [], consent: { ...consent, given: false } }
    await trial.call(submitSession, { bearer: opened.sessionToken, body: declined })
    const { verificationFailedReasons } = await resultOf(trial, opened.verificationSessionId)
    expect(verificationFailedReasons).toEqual(['consentDeclined'])
  })

  test('is ended over HTTP, against an earlier request; once', async () => {
    const { trial } = await started()
    const verificationId = await newVerification(trial, everything)
    const body = { verificationId, testOutcome: { result: 'passed' as const } }
    const { verificationSessionId, sessionToken } = await trial.call(createSession, { body })
    const complete = () =>
      trial.call(completeTestSession, {
        body: { verificationSessionId, testOutcome: { result: 'lowQuality' } },
      })
    const done = await complete()
    expect(done).toEqual({
      verificationResult: 'Fail',
      redirectUrl: expect.stringMatching(/^https:\/\/shop\.example\/out/),
    })
    expect(await problemOf(complete())).toBe('session_completed')
    expect(await trial.call(getSession, { bearer: sessionToken })).toMatchObject({ state: 'Completed' })
  })

  test('counts no attempts, and no figures', async () => {
    const { live, trial } = await started({ ports: { attemptLimit: 1 } })
    const verificationId = await newVerification(trial)
    for (let times = 0; times < 4; times++) {
      const opened = await openSession(trial, verificationId, 'reTestOutcome=livenessFailed&reExternalId=a')
      await submit(trial, opened, { person: 'anna' })
    }
    expect(await (await live.fetch('/metrics', bearing(live))).text()).not.toMatch(
      /^selfsame_sessions_total\{/m,
    )
  })

  test('sends events that are marked as tests, and so is its webhook', async () => {
    const { live, trial } = await started()
    const [hook, events, liveEvents] = await Promise.all([startReceiver(), startReceiver(), startReceiver()])
    closers.push(hook.close, events.close, liveEvents.close)
    const asked = ['VerificationCompleted' as const]
    await trial.call(createWebhookEndpoint, { body: { url: events.address, events: asked } })
    await live.call(createWebhookEndpoint, { body: { url: liveEvents.address, events: asked } })
    const webhookConfig = { eventCallbackUrl: hook.address }
    const opened = await openSession(trial, await newVerification(trial, { webhookConfig }))
    await submit(trial, opened, { person: 'anna' })
    await live.services.deliveries.settle()
    for (const { received } of [hook, events]) {
      expect(received).toHaveLength(1)
      expect(received[0]!.headers['x-selfsame-environment']).toBe('test')
    }
    expect(hook.received[0]!.headers['x-api-key']).toBe(trial.apiKey)
    expect(liveEvents.received).toHaveLength(0)
  })
})

describe('live data', () => {
  test('accepts no outcome: not from a key, a link or a page', async () => {
    const { live, trial } = await started()
    const testOutcome = { result: 'passed' as const }
    const verificationId = await newVerification(live, everything)
    const asked = [
      live.call(createSession, { body: { verificationId, testOutcome } }),
      live.call(createSession, { body: { verificationId: 'unknown', testOutcome } }),
      live.call(createSignature, { body: { queryString: 'reTestOutcome=passed' } }),
      live.call(createSignature, { body: { queryString: 'reTestAge=1' } }),
      trial.call(createSignature, { body: { queryString: 'reTestOutcome=Passed' } }),
      trial.call(createSignature, { body: { queryString: 'reTestOutcome=passed&reTestOutcome=noFace' } }),
    ]
    for (const work of asked) expect(await problemOf(work)).toBe('invalid_request')
    const opened = await openSession(live, verificationId)
    const body = { frames: [{ ...frameOf({ person: 'anna' }), challengeStep: 0 }], consent, testOutcome }
    expect(await problemOf(live.call(submitSession, { bearer: opened.bearer, body }))).toBe('invalid_request')
    const { verificationSessionId } = opened
    const completing = { verificationSessionId, testOutcome }
    expect(await problemOf(live.call(completeTestSession, { body: completing }))).toBe('invalid_request')
    expect(await problemOf(trial.call(completeTestSession, { body: completing }))).toBe('not_found')
  })

  test('ignores the outcome of an unsigned link', async () => {
    for (const of of ['live', 'trial'] as const) {
      const host = (await started())[of]
      const config = { ...everything, securityConfig: { forceSignedInput: false } }
      const verificationId = await newVerification(host, config)
      const body = { verificationId, queryString: 'reTestOutcome=livenessFailed' }
      const { capturePlan } = await host.call(initRedirectSession, { body })
      expect(capturePlan.test).toEqual(of === 'live' ? undefined : { outcome: null })
    }
  })
})

const bearing = ({ apiKey }: Host) => ({ headers: { authorization: `ApiKey ${apiKey}` } })
