import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validateSignature } from '#shared/contract/configuration/signature.ts'
import { resultFlags, type VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { initRedirectSession } from '#shared/contract/sessions/session.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  signedQuery,
  step,
  submit,
} from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const init = (verificationId: string, queryString: string) =>
  host.call(initRedirectSession, { body: { verificationId, queryString } })

describe('POST /v1/verification/init-redirect-session', () => {
  test('opens a session with its token, plan and time', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: {
        liveness: { type: 'Verification', challengeType: 'Advanced' },
        age: { type: 'CalculationOnly' },
      },
    })
    const opened = await openSession(host, verificationId, 'reLocale=de')
    expect(opened.verificationSessionId).toMatch(/^[0-9a-f]{32}$/)
    expect(Date.parse(opened.expirationUtcTime) - host.now()).toBeGreaterThan(14.9 * 60_000)
    expect(opened.capturePlan).toEqual({
      verifiers: { liveness: true, age: true, gender: false, faceRecognition: false, emotion: false },
      challenge: { type: 'Advanced', actionCount: 3 },
      evidence: { trail: true, required: false, trailPerSecond: 6, trailPixels: 128 },
      locale: 'de',
      theme: { accountName: 'Test account', accentColour: null, logo: null, region: 'EU' },
      embedOrigins: [],
    })
  })

  test('names the permitted embedders of the deployment and of the account to the page', async () => {
    const [shared, own] = ['https://a.example', 'https://b.example']
    const framing = await startHost({ ports: { embedOrigins: [shared] } })
    const embedOrigins = async () =>
      (await openSession(framing, await newVerification(framing))).capturePlan.embedOrigins
    expect(await embedOrigins()).toEqual([shared])
    await framing.services.accounts.update(framing.accountId, { embedOrigins: [own, shared] })
    expect(await embedOrigins()).toEqual([shared, own])
    await framing.close()
  })

  test('refuses a link that is unsigned, wrongly signed, expired, used or unknown', async () => {
    const verificationId = await newVerification(host)
    const link = await signedQuery(host, 'a=1', { enableNonce: true, expirationInSeconds: 100 })
    expect(await problemOf(init(verificationId, 'a=1'))).toBe('signature_invalid')
    expect(await problemOf(init(verificationId, link.replace('a=1', 'a=2')))).toBe('signature_invalid')
    expect(await problemOf(init('unknown', link))).toBe('not_found')
    await init(verificationId, link)
    expect(await problemOf(init(verificationId, link))).toBe('link_already_used')
    host.pass(100_000)
    expect(await problemOf(init(verificationId, link))).toBe('link_expired')
  })

  describe('a repeated request with the secret of the first one', () => {
    const openingId = 'a'.repeat(22)
    const opened = async (id: string) => {
      const verificationId = await newVerification(host)
      const queryString = await signedQuery(host, '', { enableNonce: true, expirationInSeconds: 100 })
      const ask = (secret?: string) =>
        host.call(initRedirectSession, {
          body: { verificationId, queryString, ...(secret && { openingId: secret }) },
        })
      return { ask, first: await ask(id) }
    }

    test('returns the same session, and a token that opens it', async () => {
      const { ask, first } = await opened(openingId)
      const second = await ask(openingId)
      expect(second).toEqual({ ...first, sessionToken: second.sessionToken })
      const submitted = await submit(host, { ...second, bearer: second.sessionToken }, { person: 'anna' })
      expect(submitted.verificationResult).toBe('Pass')
    })

    test('shows everyone else that the link is used', async () => {
      const { ask } = await opened(openingId)
      for (const other of ['b'.repeat(22), undefined])
        expect(await problemOf(ask(other))).toBe('link_already_used')
      const { ask: askUnnamed } = await opened('')
      expect(await problemOf(askUnnamed(openingId))).toBe('link_already_used')
    })

    test('shows the same once pictures were submitted, and later that the link has expired', async () => {
      const { ask, first } = await opened(openingId)
      await step(host, { ...first, bearer: first.sessionToken }, 0, { person: 'anna' })
      expect(await problemOf(ask(openingId))).toBe('link_already_used')
      host.pass(100_000)
      expect(await problemOf(ask(openingId))).toBe('link_expired')
    })

    test('opens one session for fifty concurrent ones', async () => {
      const verificationId = await newVerification(host)
      const queryString = await signedQuery(host, '', { enableNonce: true })
      const body = { verificationId, queryString, openingId }
      const all = await Promise.all(
        Array.from({ length: 50 }, () => host.call(initRedirectSession, { body })),
      )
      expect(new Set(all.map(({ verificationSessionId }) => verificationSessionId)).size).toBe(1)
    })

    test.each(['a'.repeat(21), 'a'.repeat(65), `${'a'.repeat(22)} `])(
      'refuses the secret %j',
      async (secret) => {
        const verificationId = await newVerification(host)
        const body = { verificationId, queryString: await signedQuery(host, ''), openingId: secret }
        expect(await problemOf(host.call(initRedirectSession, { body }))).toBe('invalid_request')
      },
    )
  })

  test('opens one session for fifty concurrent uses of a one-time link', async () => {
    const verificationId = await newVerification(host)
    const link = await signedQuery(host, '', { enableNonce: true })
    const answers = await Promise.all(Array.from({ length: 50 }, () => problemOf(init(verificationId, link))))
    expect(answers.filter((code) => code === 'no problem')).toHaveLength(1)
    expect(answers.filter((code) => code === 'link_already_used')).toHaveLength(49)
  })

  test('opens any number of times without a nonce', async () => {
    const verificationId = await newVerification(host)
    const link = await signedQuery(host, '')
    expect((await init(verificationId, link)).verificationSessionId).not.toBe(
      (await init(verificationId, link)).verificationSessionId,
    )
  })

  test('accepts an unsigned link if signing is not forced, but a signature must be right', async () => {
    const verificationId = await newVerification(host, { securityConfig: { forceSignedInput: false } })
    await init(verificationId, 'a=1')
    expect(await problemOf(init(verificationId, `a=1&reSignature=${'0'.repeat(64)}`))).toBe(
      'signature_invalid',
    )
    expect(await problemOf(init(verificationId, 'a=1&%72eSignature=1'))).toBe('signature_invalid')
  })

  test('refuses a link that was moved to another verification', async () => {
    const [strict, lax] = [await newVerification(host), await newVerification(host)]
    const link = await signedQuery(host, `reVerificationId=${strict}`)
    await init(strict, link)
    expect(await problemOf(init(lax, link))).toBe('signature_invalid')
  })

  test('refuses a result as a link, and a link of another account', async () => {
    const config: VerificationConfig = {
      redirectConfig: { passedUrl: 'https://shop.example/done' },
      resultParameterConfig: { includeSignature: true, includeCorrelationId: true },
    }
    const verificationId = await newVerification(host, config)
    const opened = await openSession(host, verificationId, 'reCorrelationId=7')
    const { redirectUrl } = await submit(host, opened, { person: 'anna' })
    expect(await problemOf(init(verificationId, new URL(redirectUrl!).search))).toBe('signature_invalid')
  })

  test.each(['reLocale=a&reLocale=b', `reCorrelationId=${'x'.repeat(513)}`])(
    'refuses the unsigned query %.40s',
    async (query) => {
      const verificationId = await newVerification(host, { securityConfig: { forceSignedInput: false } })
      expect(await problemOf(init(verificationId, query))).toBe('invalid_request')
    },
  )
})

describe('overrides', () => {
  const liveness: VerificationConfig = {
    verifierConfigs: { liveness: { type: 'Verification' }, age: { type: 'CalculationOnly' } },
    redirectConfig: { passedUrl: 'https://shop.example/own' },
    resultParameterConfig: { includeAge: true },
  }
  const allowed: VerificationConfig = {
    ...liveness,
    sessionOverrideConfig: {
      allowVerifierOverrides: true,
      allowResultParameterOverrides: true,
      allowRedirectOverrides: true,
    },
  }
  const query =
    'reDisableLivenessVerifier=true&reIncludeAge=false&reIncludeSessionId=true&rePassedUrl=https%3A%2F%2Fshop.example%2Fother'

  test('are applied in a signed link if the configuration allows them', async () => {
    const opened = await openSession(host, await newVerification(host, allowed), query)
    expect(opened.capturePlan.verifiers).toMatchObject({ liveness: false, age: true })
    const { redirectUrl } = await submit(host, opened, { person: 'anna' })
    expect(redirectUrl).toBe(
      `https://shop.example/other?reVerificationSessionId=${opened.verificationSessionId}`,
    )
  })

  test('are ignored if the configuration does not allow them', async () => {
    const opened = await openSession(host, await newVerification(host, liveness), query)
    expect(opened.capturePlan.verifiers.liveness).toBe(true)
  })

  test('are ignored in an unsigned link, whatever they are; the rest of it counts', async () => {
    const verificationId = await newVerification(host, {
      ...allowed,
      verifierConfigs: { age: { type: 'CalculationOnly' }, gender: { type: 'CalculationOnly' } },
      resultParameterConfig: { includeCorrelationId: true, includeCustomInputParameters: true },
      securityConfig: { forceSignedInput: false },
    })
    const ignored = [
      ...['Liveness', 'Age', 'Gender', 'FaceRecognition'].map((name) => `reDisable${name}Verifier=true`),
      ...resultFlags.map((flag) => `re${flag[0]!.toUpperCase()}${flag.slice(1)}=true`),
      'rePassedUrl=javascript:1',
      'reFailedUrl=http://x',
      `reExternalId=${'x'.repeat(600)}`,
      'reEnroll=false',
      'reEnroll=false',
      'reTestOutcome=passed',
      'reTestAge=1',
      'reTestFaceId=f',
    ]
    const unsigned = await init(verificationId, `${ignored.join('&')}&reCorrelationId=c&reLocale=de&a=1`)
    expect(unsigned.capturePlan).toMatchObject({ verifiers: { age: true, gender: true }, locale: 'de' })
    const opened = { ...unsigned, bearer: unsigned.sessionToken }
    const { redirectUrl } = await submit(host, opened, { person: 'anna' })
    expect(redirectUrl).toBe('https://shop.example/own?reCorrelationId=c&a=1')
    const { value } = (await host.services.sessionStore.read(host.accountId, opened.verificationSessionId))!
    expect(value.inputs).toMatchObject({ externalId: null, enroll: true })
  })

  test.each(['reResultId=1', 'reCompletedAt=1', 'reAssurance=high', 'reFaceId=f', '%72eResultId=1'])(
    'a link that imitates a result with %s is a 400 when it is created and a 401 when it is opened',
    async (query) => {
      await expect(signedQuery(host, query)).rejects.toMatchObject({ status: 400 })
      const verificationId = await newVerification(host, { securityConfig: { forceSignedInput: false } })
      await expect(init(verificationId, query)).rejects.toMatchObject({ status: 401 })
    },
  )

  test('leave names in another case to the integrator', async () => {
    const verificationId = await newVerification(host, {
      resultParameterConfig: { includeCustomInputParameters: true },
      redirectConfig: { passedUrl: 'https://shop.example/' },
      securityConfig: { forceSignedInput: false },
    })
    const opened = await init(verificationId, 'REAGE=1&resignature=2')
    const { redirectUrl } = await submit(host, { ...opened, bearer: opened.sessionToken }, { person: 'anna' })
    expect(redirectUrl).toBe('https://shop.example/?REAGE=1&resignature=2')
  })

  test.each([
    ['Verifier', 'reDisableLivenessVerifier=true', { liveness: false }],
    ['Verifier', 'reDisableAgeVerifier=true', { age: false }],
    ['Verifier', 'reDisableGenderVerifier=true', { gender: false }],
    ['Verifier', 'reDisableFaceRecognitionVerifier=true', { faceRecognition: false }],
    ['Verifier', 'reDisableLivenessVerifier=false', {}],
    ['Verifier', 'reDisableLivenessVerifier=TRUE', {}],
    ['ResultParameter', 'reDisableLivenessVerifier=true', {}],
    ['Redirect', 'reDisableLivenessVerifier=true', {}],
  ])('if %s overrides are allowed: %s switches %j', async (flag, overrides, off) => {
    const verifierConfigs: VerificationConfig['verifierConfigs'] = {
      liveness: { type: 'Verification' },
      age: { type: 'CalculationOnly' },
      gender: { type: 'CalculationOnly' },
      faceRecognition: { type: 'CalculationOnly' },
    }
    const sessionOverrideConfig = { [`allow${flag}Overrides`]: true }
    const opened = await openSession(
      host,
      await newVerification(host, { verifierConfigs, sessionOverrideConfig }),
      overrides,
    )
    const on = { liveness: true, age: true, gender: true, faceRecognition: true, emotion: false }
    expect(opened.capturePlan.verifiers).toEqual({ ...on, ...off })
  })

  test('of each result parameter require permission for result parameters', async () => {
    const everything = Object.fromEntries(resultFlags.map((flag) => [flag, true]))
    const config: VerificationConfig = {
      redirectConfig: { passedUrl: 'https://shop.example/' },
      resultParameterConfig: everything,
    }
    const none = resultFlags.map((flag) => `re${flag.replace('include', 'Include')}=false`).join('&')
    const leadsTo = async (config: VerificationConfig) => {
      const opened = await openSession(host, await newVerification(host, config), `a=1&${none}`)
      return (await submit(host, opened, { person: 'anna' })).redirectUrl
    }
    const flags = { allowVerifierOverrides: true, allowRedirectOverrides: true }
    expect(await leadsTo({ ...config, sessionOverrideConfig: flags })).toMatch(/reSignature=[0-9a-f]{64}$/)
    const allowed = { ...config, sessionOverrideConfig: { allowResultParameterOverrides: true } }
    expect(await leadsTo(allowed)).toBe('https://shop.example/')
  })

  test.each([
    'javascript:alert(1)',
    'http://shop.example/',
    'https://a@shop.example/',
    '//shop.example',
    'https://shop.example/?reAge=1',
  ])('to %s are refused', async (address) => {
    const verificationId = await newVerification(host, allowed)
    const link = await signedQuery(host, `rePassedUrl=${encodeURIComponent(address)}`)
    expect(await problemOf(init(verificationId, link))).toBe('invalid_request')
  })
})

describe('inputs', () => {
  const match: VerificationConfig = {
    verifierConfigs: { faceRecognition: { type: 'MatchVerification' } },
    securityConfig: { forceSignedInput: false },
  }
  const reasonsOf = async (opened: Opened) => {
    await submit(host, opened, { person: 'anna' })
    return (await resultOf(host, opened)).verificationFailedReasons
  }

  test('reExternalId counts only in a signed link', async () => {
    const verificationId = await newVerification(host, match)
    const unsigned = await init(verificationId, 'reExternalId=u1')
    expect(await reasonsOf({ ...unsigned, bearer: unsigned.sessionToken })).toEqual(['externalIdMissing'])
    expect(await reasonsOf(await openSession(host, verificationId, 'reExternalId=u1'))).toEqual([])
    expect(await reasonsOf(await openSession(host, verificationId, 'reExternalId='))).toEqual([
      'externalIdMissing',
    ])
  })

  test.each([
    ['reEnroll=false', ['externalIdUnknown']],
    ['reEnroll=true', []],
    ['reEnroll=no', []],
    ['', []],
  ])('%j meets an unknown external id with %j', async (query, reasons) => {
    const verificationId = await newVerification(host, match)
    expect(await reasonsOf(await openSession(host, verificationId, `reExternalId=u1&${query}`))).toEqual(
      reasons,
    )
    expect(await reasonsOf(await openSession(host, verificationId, 'reExternalId=u1&reEnroll=true'))).toEqual(
      [],
    )
    expect(
      await reasonsOf(await openSession(host, verificationId, 'reExternalId=u1&reEnroll=false')),
    ).toEqual([])
  })

  test('come back in the result: the correlation id, and custom parameters', async () => {
    const opened = await openSession(
      host,
      await newVerification(host),
      'reCorrelationId=42&a=1&ref=x&a=2&reUnknown=9',
    )
    await submit(host, opened, { person: 'anna' })
    expect(await resultOf(host, opened)).toMatchObject({
      correlationId: '42',
      customInputParameters: { a: '2', ref: 'x' },
    })
  })
})

describe('the return address', () => {
  const validate = async (queryString: string) =>
    (await host.call(validateSignature, { body: { queryString } })).result

  test('is signed over the whole query of the final address; the fragment stays last', async () => {
    const verificationId = await newVerification(host, {
      redirectConfig: { passedUrl: 'https://shop.example/done?shop=ä 7#top'.replace(' ', '%20') },
      resultParameterConfig: {
        includeSignature: true,
        includeVerificationResult: true,
        includeLivenessCheckResult: true,
        includeCustomInputParameters: true,
      },
    })
    const opened = await openSession(host, verificationId, 'b=2&a=1&b=3&ref=x%26y&reUnknown=1')
    const { redirectUrl } = await submit(host, opened, { person: 'anna' })
    const { search, hash } = new URL(redirectUrl!)
    expect(redirectUrl!.startsWith('https://shop.example/done?shop=%C3%A4%207&reVerificationResult=')).toBe(
      true,
    )
    const { resultId } = await resultOf(host, opened)
    expect(resultId).toMatch(/^[0-9a-f]{32}$/)
    const completedAt = new URL(redirectUrl!).searchParams.get('reCompletedAt')
    expect(Math.abs(Number(completedAt) - host.now() / 1000)).toBeLessThan(5)
    expect(search.replace(/reSignature=.*/, '')).toBe(
      `?shop=%C3%A4%207&reVerificationResult=passed&reLivenessResult=not_executed&b=2&a=1&b=3&ref=x%26y&reVerificationId=${verificationId}&reCompletedAt=${completedAt}&reResultId=${resultId}&`,
    )
    expect((await submit(host, opened)).redirectUrl).toBe(redirectUrl)
    expect(hash).toBe('#top')
    expect(await validate(search)).toBe('Valid')
    expect(await validate(search.replace('shop=', 'shop=1'))).toBe('Invalid')
    expect(await validate(search.replace('passed', 'failed'))).toBe('Invalid')
  })

  test('carries every reason in one parameter', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: { liveness: { type: 'Verification' } },
      redirectConfig: { failedUrl: 'https://shop.example/failed' },
      resultParameterConfig: { includeFailedReason: true },
    })
    const opened = await openSession(host, verificationId)
    await submit(host, opened, { person: 'anna' }, { person: 'bert' })
    const { verificationFailedReasons } = await resultOf(host, opened)
    expect(verificationFailedReasons).toHaveLength(2)
    const again = (await submit(host, opened)).redirectUrl!
    expect(new URL(again).searchParams.getAll('reFailedReason')).toEqual([
      verificationFailedReasons.join(','),
    ])
  })

  test('leaves get-session-result complete', async () => {
    const verificationId = await newVerification(host, {
      verifierConfigs: { age: { type: 'CalculationOnly' }, gender: { type: 'CalculationOnly' } },
    })
    const opened = await openSession(host, verificationId, 'reCorrelationId=7&a=1')
    await submit(host, opened, { person: 'anna' })
    expect(await resultOf(host, opened)).toEqual({
      verificationSessionId: opened.verificationSessionId,
      resultId: expect.stringMatching(/^[0-9a-f]{32}$/),
      environment: 'live',
      tries: 1,
      review: null,
      verificationResult: 'Pass',
      verificationFailedReasons: [],
      livenessVerificationResult: 'NotExecuted',
      ageVerificationResult: 'Pass',
      estimatedAge: 33.7,
      genderVerificationResult: 'Pass',
      estimatedGender: 'Female',
      faceRecognitionResult: 'NotExecuted',
      referenceResult: 'NotExecuted',
      referenceSimilarity: null,
      correlationId: '7',
      totalFaceCount: 1,
      customInputParameters: { a: '1' },
      assurance: 'none',
      policyVersion: '2026-11-29',
      wouldFail: [],
      findings: expect.any(Array),
      injectionHints: [],
      passkeys: [],
    })
  })
})
