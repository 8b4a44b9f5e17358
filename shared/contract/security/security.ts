import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody, nobody } from '../../operator-roles.ts'
import { queryInteger, text, timestamp } from '../elements.ts'

const tokenLifetime = { minimum: 60, maximum: 3600, default: 900 } as const

export const expirationInSeconds = v.optional(
  v.pipe(
    queryInteger(tokenLifetime.minimum, tokenLifetime.maximum),
    v.description('Seconds until the token expires.'),
  ),
  tokenLifetime.default,
)

/** A bearer's default scopes, limited to its key's scopes. Never includes `admin` or `tokens`. */
export const usualBearerScopes = ['analyse', 'configure'] as const
/** The scopes that a bearer may have. It only gets `people` on request. */
export const bearerScopes = [...usualBearerScopes, 'people'] as const

/** A space-separated list of scopes, all of which must be allowed. */
function scopeList(allowed: readonly string[], message: string) {
  const rule = v.check<string, string>(
    (text) => text.split(' ').every((name) => allowed.includes(name)),
    message,
  )
  return v.pipe(v.string(), rule)
}

const tokenScope = scopeList(bearerScopes, 'Must name analyse, configure or people.')

/** The default scopes that an account chooses for its bearers. */
export const usualTokenScope = scopeList(usualBearerScopes, 'Must name analyse or configure.')

export const getToken = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/token/get',
  auth: 'key',
  scope: 'tokens',
  console: nobody,
  query: v.object({
    expirationInSeconds,
    /** [Note: Ours] */
    scope: v.optional(
      v.pipe(
        tokenScope,
        v.description(
          'Limits the scope of the token: `analyse` (for browsers), `configure`, `people` (collections, faces and persons), or several separated by spaces. Defaults to the `defaultTokenScope` of the account.',
        ),
      ),
    ),
  }),
  result: v.object({
    expirationUtcTime: timestamp('When the token expires.'),
    token: text('The bearer token, a JWT signed with ES256.'),
  }),
  errors: [400, 401, 403],
  summary: 'Issues a time-limited bearer token for client-side use.',
  description:
    "The token has the scopes `analyse` and `configure`, limited to those of its key and by `scope` or the account's default. It has `people` only if `scope` names it, and never `admin` or `tokens`. It becomes invalid with its key.",
  example: { query: { expirationInSeconds: 900, scope: 'analyse' } },
})

export const getUtcNow = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/datetime/utc-now',
  auth: 'key-or-bearer',
  scope: undefined,
  console: everybody,
  result: v.object({ utcNow: timestamp("The server's time.") }),
  errors: [401, 403],
  summary: "Returns the server's UTC time.",
  description: 'Needs a valid credential, with any scope.',
  example: {},
})

export const securityEndpoints = {
  getToken,
  getUtcNow,
}
