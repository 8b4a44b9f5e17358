import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteOpenidClient, tryOpenidClient } from '#shared/contract/openid/openid-client.ts'
import type { Host } from '../../../../support/host.ts'
import { configure, newClient, newRequest, signIn, startProvider } from '../../../../support/openid/site.ts'
import { problemOf, visit } from '../../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startProvider()
})
afterAll(() => host.close())

const person = { person: 'a', age: 34 }
const redirectUri = 'http://127.0.0.1:9/console/openid'
const begin = (clientId: string) => host.call(tryOpenidClient, { body: { clientId, redirectUri } })

/** Signs in with a pushed request, as the console does. Returns the claims or the error. */
async function walk(made: Parameters<typeof configure>[0], parameters: Record<string, string> = {}) {
  const config = await configure(made)
  const { asked, checks } = await newRequest({ redirect_uri: redirectUri, ...parameters })
  const { href } = await client.buildAuthorizationUrlWithPAR(config, asked)
  const { address } = await signIn(host, href, person)
  const tokens = await client.authorizationCodeGrant(config, new URL(address), checks)
  return tokens.claims()! as Record<string, unknown>
}

describe('a trial of a client', () => {
  test('signs people in with the settings of the client, at a separate address, with a separate secret', async () => {
    const config = { verifierConfigs: { age: { type: 'CalculationOnly' as const } } }
    const made = await newClient(host, config, { ageThresholds: [21] })
    const standIn = await begin(made.clientId)
    expect(standIn).toMatchObject({ scope: 'openid face age', issuer: made.issuer })
    const claims = await walk(standIn, { scope: standIn.scope })
    expect(claims).toMatchObject({ aud: standIn.clientId, age_over_21: true, verified: true })
    expect(claims).not.toHaveProperty('age_over_18')
  })

  test('is separate from the client and from other trials', async () => {
    const made = await newClient(host)
    const [one, two] = [await begin(made.clientId), await begin(made.clientId)]
    const unknown = { error: 'invalid_client' }
    await expect(walk({ ...one, clientSecret: two.clientSecret! })).rejects.toMatchObject(unknown)
    await expect(walk({ ...one, clientSecret: made.clientSecret! })).rejects.toMatchObject(unknown)
    await expect(walk({ ...made, clientSecret: one.clientSecret! })).rejects.toMatchObject(unknown)
    await expect(walk(one, { redirect_uri: 'http://127.0.0.1:9/callback' })).rejects.toMatchObject({
      error: 'invalid_request',
    })
  })

  test('of a client that compares calls a person by the name that the site knows', async () => {
    const faceRecognition = { type: 'MatchVerification' as const }
    const made = await newClient(host, { verifierConfigs: { faceRecognition } })
    await visit(host, made.verificationId, person, 'reExternalId=ada')
    const standIn = await begin(made.clientId)
    expect(standIn.scope).toBe('openid face match')
    const asked = { scope: standIn.scope, login_hint: 'ada' }
    const tried = await walk(standIn, asked)
    const site = await walk(made, { ...asked, redirect_uri: 'http://127.0.0.1:9/callback' })
    expect(tried.sub).toBe(site.sub)
  })

  test('has no secret if the client has none, and its page may redeem the code', async () => {
    const made = await newClient(host, undefined, { isPublic: true })
    const standIn = await begin(made.clientId)
    expect(standIn.clientSecret).toBeUndefined()
    expect(await walk(standIn)).toMatchObject({ verified: true })
    const Origin = new URL(redirectUri).origin
    const form = {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: redirectUri,
      code_verifier: 'x'.repeat(43),
    }
    const redeem = (clientId: string, origin: string) =>
      host.fetch('/openid/token', {
        method: 'POST',
        headers: { Origin: origin },
        body: new URLSearchParams({ ...form, client_id: clientId }),
      })
    expect(await (await redeem(standIn.clientId, Origin)).json()).toMatchObject({ error: 'invalid_grant' })
    const refused = await redeem(standIn.clientId, 'https://evil.example')
    expect(await refused.json()).toMatchObject({ error: 'invalid_request' })
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test('ends with the client, and after twenty minutes; that of another account is not found', async () => {
    const [made, other] = [await newClient(host), await newClient(host)]
    const [one, two] = [await begin(made.clientId), await begin(other.clientId)]
    await host.call(deleteOpenidClient, { query: { clientId: made.clientId } })
    await expect(walk(one)).rejects.toMatchObject({ error: 'invalid_client' })
    host.pass(20 * 60_000)
    await expect(walk(two)).rejects.toMatchObject({ error: 'invalid_client' })
    const { apiKey } = await host.services.accounts.create('Another account')
    const body = { clientId: other.clientId, redirectUri }
    expect(await problemOf(host.call(tryOpenidClient, { apiKey, body }))).toBe('not_found')
    expect(await problemOf(begin(one.clientId))).toBe('not_found')
  })
})
