import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '#shared/contract/account/account.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { completeTestSession } from '#shared/contract/sessions/session-test.ts'
import { scopes } from '#shared/endpoint.ts'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../support/openid/site.ts'
import { visit } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

type Made = Awaited<ReturnType<typeof newClient>>

/** Signs in with a pushed request. Returns the claims or the error. */
async function pushed(made: Made, parameters: Record<string, string>, scene: Parameters<typeof signIn>[2]) {
  const config = await configure(made)
  const { asked, checks } = await newRequest(parameters)
  const { href } = await client.buildAuthorizationUrlWithPAR(config, asked)
  const { address } = await signIn(host, href, scene)
  const error = new URL(address).searchParams.get('error')
  if (error !== null) return { error }
  const tokens = await client.authorizationCodeGrant(config, new URL(address), checks)
  return { config, tokens, claims: tokens.claims()! as Record<string, unknown> & { sub: string } }
}

const person = { person: 'a', age: 34 }
const live = { liveness: { type: 'Verification' as const } }
const match = { verifierConfigs: { ...live, faceRecognition: { type: 'MatchVerification' as const } } }

describe('match', () => {
  test('compares with the named person, under one subject, and never enrols', async () => {
    const made = await newClient(host, match)
    const asked = { scope: 'openid match', login_hint: 'ada' }
    expect(await pushed(made, asked, person)).toEqual({ error: 'access_denied' })
    await visit(host, made.verificationId, person, 'reExternalId=ada')
    const [first, second] = [await pushed(made, asked, person), await pushed(made, asked, person)]
    expect(first.claims).toMatchObject({ matched: true })
    expect(second.claims!.sub).toBe(first.claims!.sub)
    expect(await pushed(made, asked, { person: 'b', age: 30 })).toEqual({ error: 'access_denied' })
  })

  test('gives another subject, and ends the tokens, once the person was erased', async () => {
    const made = await newClient(host, match)
    const asked = { scope: 'openid match', login_hint: 'bea' }
    await visit(host, made.verificationId, { person: 'c', age: 30 }, 'reExternalId=bea')
    const before = await pushed(made, asked, { person: 'c', age: 30 })
    await host.call(deletePerson, { query: { externalId: 'bea' } })
    const { access_token: token } = before.tokens!
    await expect(client.fetchUserInfo(before.config!, token, before.claims!.sub)).rejects.toThrow()
    await visit(host, made.verificationId, { person: 'c', age: 30 }, 'reExternalId=bea')
    const after = await pushed(made, asked, { person: 'c', age: 30 })
    expect(after.claims!.sub).not.toBe(before.claims!.sub)
  })
})

describe('ages', () => {
  const config = {
    verifierConfigs: {
      ...live,
      age: { type: 'CalculationOnly' as const, thresholdConfig: { marginInYears: 10 } },
    },
  }

  test.each([
    [27.9, false],
    [28, true],
  ])('of an estimate of %d are over 18 by a margin of ten years: %s', async (age, isOver) => {
    const made = await newClient(host, config, { ageThresholds: [18, 21] })
    const { claims } = await pushed(made, { scope: 'openid age' }, { person: 'a', age })
    expect(claims).toMatchObject({
      age_over_18: isOver,
      age_over_21: false,
      age_assurance: {
        method: 'facial_age_estimation',
        margin_in_years: 10,
        false_accept_rates: [
          { threshold: 18, rate: 0.021, interval: [0.004, 0.111], measured: { ages: '15-17', count: 47 } },
          { threshold: 21, rate: null },
        ],
      },
    })
    expect(claims).not.toHaveProperty('age_estimate')
    expect(claims).not.toHaveProperty('age_over_25')
  })

  test('are only given as an estimate to a client that may have it and requests it', async () => {
    const claims = JSON.stringify({ id_token: { age_estimate: null, age_over_25: null } })
    const asked = { scope: 'openid age', claims }
    const plain = await newClient(host, config, { ageThresholds: [18] })
    const refused = (await pushed(plain, asked, person)).claims
    expect(refused).not.toHaveProperty('age_estimate')
    expect(refused).not.toHaveProperty('age_over_25')
    const trusted = await newClient(host, config, { ageThresholds: [18], mayAskAgeEstimate: true })
    expect((await pushed(trusted, asked, person)).claims).toMatchObject({ age_estimate: 34 })
  })

  test('are the same at the userinfo endpoint, which gives no estimate that was not allowed', async () => {
    const claims = JSON.stringify({ userinfo: { age_estimate: null, age_over_25: null } })
    const asked = { scope: 'openid age', claims }
    const told = async (body: Parameters<typeof newClient>[2]) => {
      const made = await pushed(await newClient(host, config, body), asked, person)
      return client.fetchUserInfo(made.config!, made.tokens!.access_token, made.claims!.sub)
    }
    const plain = await told({ ageThresholds: [18] })
    expect(plain).toMatchObject({ age_over_18: true, age_assurance: { margin_in_years: 10 } })
    expect(plain).not.toHaveProperty('age_estimate')
    expect(plain).not.toHaveProperty('age_over_25')
    expect(await told({ ageThresholds: [18], mayAskAgeEstimate: true })).toMatchObject({ age_estimate: 34 })
  })

  test('cannot be requested if none is estimated', async () => {
    const made = await newClient(host, { verifierConfigs: live }, { ageThresholds: [18] })
    expect(await pushed(made, { scope: 'openid age' }, person)).toEqual({ error: 'invalid_scope' })
  })
})

describe('acr', () => {
  const essential = (value: string) => JSON.stringify({ id_token: { acr: { essential: true, value } } })

  test('is the level that was reached; a missed essential one is an error', async () => {
    const made = await newClient(host)
    const low = await pushed(made, { claims: essential('urn:selfsame:assurance:low') }, person)
    expect(low.claims).toMatchObject({ acr: 'urn:selfsame:assurance:low' })
    const unmet = { error: 'unmet_authentication_requirements' }
    expect(await pushed(made, { claims: essential('urn:selfsame:assurance:high') }, person)).toEqual(unmet)
    expect(await pushed(made, { claims: essential('urn:other') }, person)).toEqual(unmet)
  })
})

describe('a client of a test key', () => {
  test('has a separate issuer and separate keys', async () => {
    const { apiKey } = await host.call(createKey, { body: { name: 'CI', scopes: [...scopes], mode: 'test' } })
    const trial: Host = { ...host, apiKey, call: (e, args) => host.call(e, { apiKey, ...args }) }
    const made = await newClient(trial)
    expect(made.issuer).toBe(`${host.origin}/openid/test`)
    const kidsAt = async (issuer: string) =>
      ((await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] }).keys.map(
        ({ kid }) => kid,
      )
    const [ours, theirs] = [await kidsAt(made.issuer), await kidsAt(`${host.origin}/openid`)]
    expect(ours).toHaveLength(1)
    expect(theirs).not.toContain(ours[0])
  })

  test('has age claims if the test outcome names one', async () => {
    const { apiKey } = await host.call(createKey, { body: { name: 'CI', scopes: [...scopes], mode: 'test' } })
    const trial: Host = { ...host, apiKey, call: (e, args) => host.call(e, { apiKey, ...args }) }
    const age = { type: 'CalculationOnly' as const }
    const made = await newClient(trial, { verifierConfigs: { ...live, age } }, { ageThresholds: [18] })
    const config = await configure(made)
    const { asked, checks } = await newRequest({ scope: 'openid age' })
    const browser = openBrowser()
    const page = await browser.follow(client.buildAuthorizationUrl(config, asked).href, host.origin)
    const verificationSessionId = new URL(page.address).pathname.split('/').at(-1)!
    const testOutcome = { result: 'passed' as const, age: 34 }
    const body = { verificationSessionId, testOutcome }
    const { redirectUrl } = await trial.call(completeTestSession, { body })
    const { address } = await browser.follow(redirectUrl!, host.origin)
    const tokens = await client.authorizationCodeGrant(config, new URL(address), checks)
    expect(tokens.claims()).toMatchObject({ environment: 'test', age_over_18: true })
  })
})
