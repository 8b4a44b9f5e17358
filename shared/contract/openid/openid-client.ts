import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { webAddress } from '../configuration/verification-config.ts'
import { builders, buildersAgain } from '../console/operator-roles.ts'
import { flag, jsonObject, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { nameOf } from '../identity.ts'
import { change } from '../policies.ts'

/** How many clients an account may have. */
export const mostOpenidClients = 50
/** Addresses that one client may be sent back to. */
export const mostRedirectUris = 10
/** Ages that one client may ask about. */
export const mostAgeThresholds = 5
export const ageThresholdRange = { minimum: 13, maximum: 30 } as const
const nameMaximum = 100

const admin = { auth: 'key', scope: 'admin' } as const

const name = nameOf(nameMaximum, 'What the site is called. The person reads it where consent is asked.')

const redirectUri = v.pipe(
  webAddress(
    'Where the person is sent back to: https, or http on loopback; printable ASCII, as browsers write it, without `code`, `state`, `iss` or `error` in its query. It is compared character by character, but for the port of a public client on `http://127.0.0.1` or `http://[::1]`.',
  ),
  v.check((address) => !address.includes('#'), 'Must not have a fragment.'),
)

const redirectUris = v.pipe(
  v.array(redirectUri),
  v.minLength(1, 'Must have at least one address.'),
  v.maxLength(mostRedirectUris, `Must have at most ${mostRedirectUris} addresses.`),
  v.check((all) => new Set(all).size === all.length, 'Must not name an address twice.'),
  v.description('Where the person may be sent back to.'),
)

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The verification that a person who signs in goes through.'),
)

const ageThreshold = v.pipe(
  v.number(),
  v.integer('Must be a whole number.'),
  v.minValue(ageThresholdRange.minimum),
  v.maxValue(ageThresholdRange.maximum),
)

const ageThresholds = v.pipe(
  v.array(ageThreshold),
  v.maxLength(mostAgeThresholds, `Must have at most ${mostAgeThresholds} ages.`),
  v.check((all) => new Set(all).size === all.length, 'Must not name an age twice.'),
  v.description('The ages that it may ask about, as `age_over_18` and the like; none when absent.'),
)

const mayAskAgeEstimate = flag('Whether it may ask for the estimate itself, as the claim `age_estimate`.')

const clientId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of the client.'),
)

const secret = (meaning: string) =>
  text(`${meaning} It is given here and never again: only its digest is kept.`)

const shownClient = {
  clientId: 'b4a0e0a26f5b4d0e9a570c1f6f2f7f10',
  name: 'Shop',
  redirectUris: ['https://shop.example/callback'],
  verificationId: '8f14e45f-ceea-4e7a-9d57-1c0f6f2f7f10',
  isPublic: false,
  ageThresholds: [18],
  mayAskAgeEstimate: false,
  issuer: 'https://check.example/openid',
  environment: 'live' as const,
  isUsable: true,
  created: '2026-11-24T12:00:00.000Z',
}
const shownSecret = 'wq3m7cVx2nYb8kR5tZ1uJ6hD9sL4pF0aGeQiNoTrXyE'

/** A client as its account's admin sees it: without its secret. */
const openidClient = v.object({
  clientId: text('The id of the client.'),
  name: text('What the site is called.'),
  redirectUris: v.pipe(v.array(v.string()), v.description('Where the person may be sent back to.')),
  verificationId: text('The verification that a person who signs in goes through.'),
  isPublic: flag('Whether it has no secret, as a page or an app without a server; PKCE alone protects it.'),
  ageThresholds: v.pipe(v.array(v.number()), v.description('The ages that it may ask about.')),
  mayAskAgeEstimate,
  issuer: text('The issuer that it belongs to: `/openid`, or `/openid/test` for a client of a test account.'),
  environment: v.pipe(v.picklist(environments), v.description('Whether it signs in people or tests.')),
  isUsable: flag('False once its verification was deleted: it is then answered with `invalid_client`.'),
  created: timestamp('When it was made.'),
})

export const createOpenidClient = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/openid/create-client',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: ['clientSecret'] },
  leadsTo: 'resultElsewhere',
  body: jsonObject({
    name,
    redirectUris,
    verificationId,
    isPublic: v.optional(flag('Whether it has no secret; false when absent.'), false),
    ageThresholds: v.optional(ageThresholds, []),
    mayAskAgeEstimate: v.optional(mayAskAgeEstimate, false),
  }),
  result: v.object({
    clientId: text('The id of the client.'),
    clientSecret: v.optional(secret('The secret of the client; absent for a public one.')),
    issuer: text('The issuer: its discovery document is at `/.well-known/openid-configuration` below it.'),
  }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Makes a client of the OpenID provider: a site whose people are checked when they sign in.',
  description: `A client of a test key belongs to the test issuer. An account has at most ${mostOpenidClients} clients; one more is a 409, \`limit_reached\`. 409, \`conflict\`, where the provider is off (\`OPENID_PROVIDER\`). An unknown verification is a 404.`,
  example: {
    body: {
      name: 'Shop',
      redirectUris: ['https://shop.example/callback'],
      verificationId: '8f14e45f-ceea-4e7a-9d57-1c0f6f2f7f10',
      ageThresholds: [18],
    },
    answer: { clientId: shownClient.clientId, clientSecret: shownSecret, issuer: shownClient.issuer },
  },
  textVariant: true,
})

export const getOpenidClients = endpoint({
  ...admin,
  method: 'GET',
  path: '/v1/openid/get-clients',
  console: builders,
  result: v.object({
    clients: v.pipe(v.array(openidClient), v.description('The clients, oldest first.')),
  }),
  errors: [401, 403],
  summary: 'Lists the clients of the account, without their secrets.',
  example: { answer: { clients: [shownClient] } },
  textVariant: true,
})

export const updateOpenidClient = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v1/openid/update-client',
  console: buildersAgain,
  ...change,
  leadsTo: { consequence: 'resultElsewhere', ifSent: 'redirectUris' },
  body: jsonObject({
    clientId,
    name: v.optional(name),
    redirectUris: v.optional(redirectUris),
    verificationId: v.optional(verificationId),
    isPublic: v.optional(
      flag('Whether it has no secret. One that stops being public gets its secret from rotate-secret.'),
    ),
    ageThresholds: v.optional(ageThresholds),
    mayAskAgeEstimate: v.optional(mayAskAgeEstimate),
  }),
  result: v.object({ client: v.pipe(openidClient, v.description('The client, as it is now.')) }),
  errors: [400, 401, 403, 404],
  summary: 'Changes a client.',
  description:
    'What is absent stays as it is. The names of people stay: they were fixed to the host of its first addresses when it was made.',
  example: { body: { clientId: shownClient.clientId, name: 'Shop' }, answer: { client: shownClient } },
  textVariant: true,
})

export const deleteOpenidClient = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v1/openid/delete-client',
  console: buildersAgain,
  ...change,
  query: v.object({ clientId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Deletes a client; its codes and tokens end at once.',
  example: { query: { clientId: shownClient.clientId }, answer: {} },
  textVariant: true,
})

export const rotateOpenidSecret = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/openid/rotate-secret',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: ['clientSecret'] },
  body: jsonObject({
    clientId,
    immediately: v.optional(
      flag('Whether the former secret stops at once; otherwise it works for another 24 hours.'),
      false,
    ),
  }),
  result: v.object({
    clientSecret: secret('The new secret.'),
    previousValidUntil: timestamp('Until when the former secret works.'),
  }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Makes a new secret for a client, and gives it once.',
  description:
    'For 24 hours both secrets work, so that the site may change over at any time. With `immediately` the former one stops at once. 409 for a public client, which has none.',
  example: {
    body: { clientId: shownClient.clientId },
    answer: { clientSecret: shownSecret, previousValidUntil: '2026-11-25T12:00:00.000Z' },
  },
  textVariant: true,
})

export const tryOpenidClient = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/openid/try-client',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: ['clientSecret'] },
  leadsTo: { consequence: 'resultElsewhere', ifSent: 'redirectUri' },
  body: jsonObject({ clientId, redirectUri }),
  result: v.object({
    clientId: text('The id of the stand-in.'),
    clientSecret: v.optional(secret('Its secret; absent where the client is public.')),
    issuer: text('The issuer of the client.'),
    scope: text('All that the client may ask for, as `scope` takes it.'),
    expires: timestamp('When the stand-in ends.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Makes a stand-in of a client for 20 minutes, to try a sign-in.',
  description:
    'It has an id, a secret and a redirect address of its own, and all else of the client, as it is then. So a sign-in is tried from end to end without the secret and the addresses of the site. The console does so.',
  example: {
    body: { clientId: shownClient.clientId, redirectUri: 'http://localhost:3000/callback' },
    answer: {
      clientId: 'try.5f2b7c0d9a1e4c38b6d40e7a1c9f3b52',
      clientSecret: shownSecret,
      issuer: shownClient.issuer,
      scope: 'openid face age',
      expires: '2026-11-24T12:20:00.000Z',
    },
  },
  textVariant: true,
})

export const openidClientEndpoints = {
  createOpenidClient,
  getOpenidClients,
  updateOpenidClient,
  deleteOpenidClient,
  rotateOpenidSecret,
  tryOpenidClient,
}
