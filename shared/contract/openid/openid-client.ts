import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain } from '../../operator-roles.ts'
import { webAddress } from '../configuration/verification-config.ts'
import { flag, jsonObject, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { nameOf } from '../identity.ts'
import { change } from '../policies.ts'

/** The maximum number of clients per account. */
export const mostOpenidClients = 50
/** The maximum number of redirect addresses per client. */
export const mostRedirectUris = 10
/** The maximum number of age thresholds per client. */
export const mostAgeThresholds = 5
export const ageThresholdRange = { minimum: 13, maximum: 30 } as const
const nameMaximum = 100

const admin = { auth: 'key', scope: 'admin' } as const

const name = nameOf(
  nameMaximum,
  'The name of the site. It is shown to the person with the request for consent.',
)

const redirectUri = v.pipe(
  webAddress(
    'Address to which the person returns: https, or http on loopback; printable ASCII, as browsers write it, without `code`, `state`, `iss` or `error` in its query. It is compared character by character, except for the port of a public client on `http://127.0.0.1` or `http://[::1]`.',
  ),
  v.check((address) => !address.includes('#'), 'Must not have a fragment.'),
)

const redirectUris = v.pipe(
  v.array(redirectUri),
  v.minLength(1, 'Must have at least one address.'),
  v.maxLength(mostRedirectUris, `Must have at most ${mostRedirectUris} addresses.`),
  v.check((all) => new Set(all).size === all.length, 'Must not name an address twice.'),
  v.description('Addresses to which the person may return.'),
)

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The verification that people go through to sign in.'),
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
  v.description('Ages that the client may ask about, with claims such as `age_over_18`; none by default.'),
)

const mayAskAgeEstimate = flag(
  'True if the client may request the estimate itself, as the claim `age_estimate`.',
)

const clientId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of the client.'),
)

const secret = (meaning: string) =>
  text(`${meaning} It is returned only once, because only its digest is stored.`)

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

/** A client as seen by its account's admin, without the secret. */
const openidClient = v.object({
  clientId: text('The id of the client.'),
  name: text('The name of the site.'),
  redirectUris: v.pipe(v.array(v.string()), v.description('Addresses to which the person may return.')),
  verificationId: text('The verification that people go through to sign in.'),
  isPublic: flag(
    'True if it has no secret, as for a page or an app without a server; only PKCE protects it.',
  ),
  ageThresholds: v.pipe(v.array(v.number()), v.description('Ages that the client may ask about.')),
  mayAskAgeEstimate,
  issuer: text('Its issuer: `/openid`, or `/openid/test` for a client of a test account.'),
  environment: v.pipe(v.picklist(environments), v.description('Live or test environment of the client.')),
  isUsable: flag('False if its verification was deleted: requests are then answered with `invalid_client`.'),
  created: timestamp('When it was created.'),
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
    isPublic: v.optional(flag('True if it has no secret; false by default.'), false),
    ageThresholds: v.optional(ageThresholds, []),
    mayAskAgeEstimate: v.optional(mayAskAgeEstimate, false),
  }),
  result: v.object({
    clientId: text('The id of the client.'),
    clientSecret: v.optional(secret('The secret of the client; absent for a public one.')),
    issuer: text('The issuer. Its discovery document is at `/.well-known/openid-configuration` below it.'),
  }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Creates a client of the OpenID provider: a site whose users are checked when they sign in.',
  description: `A client created with a test key belongs to the test issuer. An account has at most ${mostOpenidClients} clients; one more is a 409, \`limit_reached\`. 409, \`conflict\`, if the provider is disabled (\`OPENID_PROVIDER\`). An unknown verification is a 404.`,
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
      flag('True if it has no secret. If it stops being public, get its secret from rotate-secret.'),
    ),
    ageThresholds: v.optional(ageThresholds),
    mayAskAgeEstimate: v.optional(mayAskAgeEstimate),
  }),
  result: v.object({ client: v.pipe(openidClient, v.description('The client after the change.')) }),
  errors: [400, 401, 403, 404],
  summary: 'Changes a client.',
  description:
    'Absent members stay unchanged. The subjects of people stay the same: they depend on the host of the first addresses at creation.',
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
  summary: 'Deletes a client. Its codes and tokens become invalid at once.',
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
      flag('True if the previous secret stops working at once; otherwise it works for another 24 hours.'),
      false,
    ),
  }),
  result: v.object({
    clientSecret: secret('The new secret.'),
    previousValidUntil: timestamp('Until when the previous secret works.'),
  }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Creates a new secret for a client and returns it once.',
  description:
    'For 24 hours both secrets work, so that the site can switch at any time. With `immediately` the previous secret stops working at once. 409 for a public client, which has no secret.',
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
    clientId: text('The id of the temporary client.'),
    clientSecret: v.optional(secret('Its secret; absent for a public client.')),
    issuer: text('The issuer of the client.'),
    scope: text('All scopes and claims that the client may request, as `scope` takes them.'),
    expires: timestamp('When the temporary client expires.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Creates a temporary copy of a client for 20 minutes, to try a sign-in.',
  description:
    'The copy has a separate id, secret and redirect address; everything else is that of the client at this moment. The console uses it to try a sign-in from end to end without the secret and the addresses of the site.',
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
