import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AssuranceEvidence } from '#models/rules/liveness/evidence/assurance.ts'
import { policyVersion } from '#models/rules/liveness/policy.ts'
import { createSessionStore } from '#server/features/sessions/records/session-store.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import {
  createVerification,
  getAllVerifications,
  getVerification,
} from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { frameOf } from '../../../../support/drawn/fake-picture.ts'
import { haveShown, shownEvidence, strong } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  act,
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  step,
  submit,
  visit,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }
type Liveness = NonNullable<NonNullable<VerificationConfig['verifierConfigs']>['liveness']>
const live = (more: Liveness = {}, rest: VerificationConfig = {}): VerificationConfig => ({
  ...rest,
  verifierConfigs: { liveness: { type: 'Verification', ...more }, ...rest.verifierConfigs },
})
const wayBack: VerificationConfig = {
  redirectConfig: { passedUrl: 'https://shop.example/in', failedUrl: 'https://shop.example/out' },
  resultParameterConfig: {
    includeSignature: true,
    includeAssurance: true,
    includeCustomInputParameters: true,
  },
}

let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { passkeyRoots: [] } })
})
afterAll(() => host.close())
beforeEach(() => {
  haveShown()
})

const assuranceAfter = async (config: VerificationConfig, query = '') =>
  (await visit(host, await newVerification(host, config), anna, query)).result

describe('assurance in get-session-result', () => {
  test.each<[string, VerificationConfig, Partial<AssuranceEvidence>, string]>([
    ['none without liveness', {}, strong, 'none'],
    ['low without a trail', live(), {}, 'low'],
    ['standard with it', live(), strong, 'standard'],
    ['low where a check fails', live({}, { verifierConfigs: { age: over(80) } }), strong, 'low'],
    ['none where that is the only check, and fails', { verifierConfigs: { age: over(80) } }, strong, 'none'],
  ])('is %s', async (_, config, shown, assurance) => {
    shownEvidence.shown = shown
    expect(await assuranceAfter(config)).toMatchObject({
      assurance,
      policyVersion,
      wouldFail: [],
    })
  })

  test('is none for a session without an analysis', async () => {
    const opened = await openSession(host, await newVerification(host, live({ leastAssurance: 'high' })))
    const declined = { ...consent, given: false }
    await host.call(submitSession, { bearer: opened.bearer, body: { frames: [], consent: declined } })
    expect(await resultOf(host, opened)).toMatchObject({
      verificationFailedReasons: ['consentDeclined'],
      assurance: 'none',
    })
  })

  test.each([
    ['Pass', 'low'],
    ['Fail', 'low'],
    ['NotExecuted', 'none'],
  ] as const)('of an older result, liveness %s, is %s', async (liveness, assurance) => {
    const { opened } = await visit(host, await newVerification(host, live()), anna)
    await rewrite(
      opened,
      ({ assurance: _a, policyVersion: _p, wouldFail: _w, findings: _f, injectionHints: _i, ...result }) => ({
        ...result,
        livenessVerificationResult: liveness,
      }),
    )
    expect(await resultOf(host, opened)).toMatchObject({
      assurance,
      policyVersion: '2026-11-01',
      wouldFail: [],
      findings: [],
      injectionHints: [],
    })
  })
})

describe('hints of injection', () => {
  const reported = async (deviceReport: Record<string, unknown>) => {
    const opened = await openSession(host, await newVerification(host, live({ leastAssurance: 'high' })))
    let { next } = await step(host, opened, 0, anna)
    while (next !== null) next = (await act(host, opened, next, anna)).next
    const frames = [{ ...frameOf(anna), challengeStep: 0 }]
    await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent, deviceReport } })
    return resultOf(host, opened)
  }

  test.each([
    [{}, [], 'high', []],
    [{ camera: 'HD Webcam' }, [], 'high', []],
    [{ camera: 'OBS Virtual Camera' }, ['virtualCamera'], 'low', ['assuranceTooLow']],
  ] as const)('of %j are %j, and result in %s', async (deviceReport, injectionHints, assurance, reasons) => {
    shownEvidence.shown = { ...strong, hasPasskey: true }
    expect(await reported(deviceReport)).toMatchObject({
      injectionHints,
      assurance,
      verificationFailedReasons: reasons,
      livenessVerificationResult: 'Pass',
    })
  })

  test('fail no session that does not require high', async () => {
    shownEvidence.shown = { ...strong, hasPasskey: true }
    const opened = await openSession(host, await newVerification(host, live()))
    let { next } = await step(host, opened, 0, anna)
    while (next !== null) next = (await act(host, opened, next, anna)).next
    const frames = [{ ...frameOf(anna), challengeStep: 0 }]
    const deviceReport = { camera: 'OBS Virtual Camera' }
    await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent, deviceReport } })
    expect(await resultOf(host, opened)).toMatchObject({ verificationResult: 'Pass', assurance: 'standard' })
  })
})

describe('leastAssurance', () => {
  test.each([
    [undefined, {}, []],
    ['low', {}, []],
    ['standard', {}, ['assuranceTooLow']],
    ['standard', strong, []],
    ['high', strong, ['assuranceTooLow']],
    ['high', { ...strong, hasPasskey: true }, []],
    ['high', { ...strong, hasPasskey: true, isInjectionHinted: true }, ['assuranceTooLow']],
  ] as const)('%s, with %j, fails for %j', async (leastAssurance, shown, reasons) => {
    shownEvidence.shown = shown
    const result = await assuranceAfter(live(leastAssurance && { leastAssurance }))
    expect(result.verificationFailedReasons).toEqual(reasons)
    expect(result.livenessVerificationResult).toBe('Pass')
    if (reasons.length > 0) expect(result.assurance).toBe('low')
  })

  test('keep the face out of the collection if the assurance is too low', async () => {
    const faceRecognition = { type: 'MatchVerification' as const }
    const config = live({ leastAssurance: 'standard' }, { verifierConfigs: { faceRecognition } })
    const verificationId = await newVerification(host, config)
    const { result } = await visit(host, verificationId, anna, 'reExternalId=anna')
    expect(result).toMatchObject({ faceRecognitionResult: 'NotExecuted' })
    expect(result.faceId).toBeUndefined()
  })

  test('of an ad hoc session counts too', async () => {
    const body = { verifierConfigs: live({ leastAssurance: 'standard' }).verifierConfigs }
    const made = await host.call(createSession, { body } as never)
    await submit(host, { ...made, bearer: made.sessionToken } as never, anna)
    const { verificationFailedReasons } = await resultOf(host, made as never)
    expect(verificationFailedReasons).toContain('assuranceTooLow')
  })

  test.each([
    [
      { type: 'Disabled', leastAssurance: 'low' },
      ['#/verificationConfig/verifierConfigs/liveness/leastAssurance'],
    ],
    [{ leastAssurance: 'high' }, ['#/verificationConfig/verifierConfigs/liveness/leastAssurance']],
    [
      { type: 'Verification', leastAssurance: 'none' },
      ['#/verificationConfig/verifierConfigs/liveness/leastAssurance'],
    ],
    [
      { type: 'Verification', livenessPolicy: 'ignore' },
      ['#/verificationConfig/verifierConfigs/liveness/livenessPolicy'],
    ],
    [{ type: 'Verification', leastAssurance: 'high', livenessPolicy: 'observe' }, []],
    [{ type: 'Disabled', livenessPolicy: 'enforce' }, []],
  ])('in a configuration of %j is refused at %j', async (liveness, pointers) => {
    const body = {
      name: `least ${JSON.stringify(liveness)}`,
      verificationConfig: { verifierConfigs: { liveness } },
    }
    const made = await host.call(createVerification, { body } as never).catch((error) => error)
    expect((made.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
  })
})

describe('reAssurance', () => {
  const validate = async (queryString: string) =>
    (await host.call(validateSignature, { body: { queryString } })).result
  const back = async (config: VerificationConfig, query: string) =>
    new URL((await visit(host, await newVerification(host, config), anna, query)).submitted.redirectUrl!)

  test.each([
    [{}, 'in', 'low'],
    [strong, 'in', 'standard'],
  ] as const)(
    'is after custom names, before the signature, which covers it: %j',
    async (shown, path, level) => {
      shownEvidence.shown = shown
      const address = await back(live({}, wayBack), 'order=7')
      expect(address.pathname).toBe(`/${path}`)
      expect(address.search).toMatch(
        new RegExp(
          `^\\?order=7&reAssurance=${level}&reVerificationId=[0-9a-f-]+&reCompletedAt=\\d+&reResultId=[0-9a-f]{32}&reSignature=[0-9a-f]{64}$`,
        ),
      )
      expect(await validate(address.search)).toBe('Valid')
      expect(await validate(address.search.replace(level, 'high'))).toBe('Invalid')
    },
  )

  test('is in the failed address too', async () => {
    shownEvidence.shown = strong
    const address = await back(live({}, { ...wayBack, verifierConfigs: { age: over(80) } }), '')
    expect([address.pathname, address.searchParams.get('reAssurance')]).toEqual(['/out', 'low'])
  })

  test.each([
    [true, 'reIncludeAssurance=false', null],
    [true, 'reIncludeAssurance=true', 'low'],
    [false, 'reIncludeAssurance=false', 'low'],
  ])('follows the link if overrides are allowed: %s, %s', async (allowed, query, told) => {
    const sessionOverrideConfig = { allowResultParameterOverrides: allowed }
    const address = await back(live({}, { ...wayBack, sessionOverrideConfig }), query)
    expect(address.searchParams.get('reAssurance')).toBe(told)
  })

  test('is not for links: refused when one is signed, and when one is opened', async () => {
    const queryString = 'reAssurance=high'
    const made = await host.call(createSignature, { body: { queryString } }).catch((error) => error)
    expect(made.status).toBe(400)
    const verificationId = await newVerification(host, { securityConfig: { forceSignedInput: false } })
    expect(await problemOf(host.call(initRedirectSession, { body: { verificationId, queryString } }))).toBe(
      'signature_invalid',
    )
  })
})

describe('policyVersion of a verification', () => {
  const read = (verificationId: string) => host.call(getVerification, { query: { verificationId } })

  test('is that of its creation, and is left out of the list', async () => {
    const verificationId = await newVerification(host)
    expect((await read(verificationId)).policyVersion).toBe(policyVersion)
    const { verifications } = await host.call(getAllVerifications, {})
    expect(verifications.find((each) => each.verificationId === verificationId)).not.toHaveProperty(
      'policyVersion',
    )
  })

  test('is the first one if it was created before there were any, and applies to its sessions', async () => {
    const verificationId = await newVerification(host, live({ livenessPolicy: 'observe' }))
    const { verification: older } = await read(verificationId)
    await createTable<object>(host.store, 'verification').put(host.accountId, verificationId, older)
    expect((await read(verificationId)).policyVersion).toBe('2026-11-01')
    const opened = await openSession(host, verificationId)
    const stored = await sessions().read(host.accountId, opened.verificationSessionId)
    expect(stored!.value.settings.madeUnder).toBe('2026-11-01')
  })
})

function over(threshold: number) {
  return {
    type: 'ThresholdVerification' as const,
    thresholdConfig: { threshold, direction: 'Above' as const },
  }
}

function sessions() {
  return createSessionStore(host.store, createKeyRing(Buffer.alloc(32, 7), 'EU'), host.now)
}

type Result = Awaited<ReturnType<typeof resultOf>>

/** Replaces a session's result. */
async function rewrite(opened: Opened, change: (result: Result) => object): Promise<void> {
  const read = (await sessions().read(host.accountId, opened.verificationSessionId))!
  const outcome = read.value.outcome!
  const result = change(outcome.result as Result) as Result
  await sessions().replace(read, { ...read.value, outcome: { ...outcome, result } })
}
