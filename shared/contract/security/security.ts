import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody, nobody } from '../console/operator-roles.ts'
import { queryInteger, text, timestamp } from '../elements.ts'

const tokenLifetime = { minimum: 60, maximum: 3600, default: 900 } as const

export const expirationInSeconds = v.optional(
  v.pipe(
    queryInteger(tokenLifetime.minimum, tokenLifetime.maximum),
    v.description('Seconds until the token expires.'),
  ),
  tokenLifetime.default,
)

/** The scopes that a bearer carries unless it is narrowed, as far as its key has them; never `admin` or `tokens`. */
export const usualBearerScopes = ['analyse', 'configure'] as const
/** The scopes that a bearer may carry: `people` only if a call asks for it. */
export const bearerScopes = [...usualBearerScopes, 'people'] as const

/** Scopes with a space between them, each one of the given ones. */
function scopeList(allowed: readonly string[], message: string) {
  const rule = v.check<string, string>(
    (text) => text.split(' ').every((name) => allowed.includes(name)),
    message,
  )
  return v.pipe(v.string(), rule)
}

/** Scopes of a bearer as they are asked for. */
const tokenScope = scopeList(bearerScopes, 'Must name analyse, configure or people.')

/** Scopes that an account chooses for its bearers. */
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
          'Narrows what the token may do: `analyse` (what a browser should get), `configure`, `people` (collections, faces and persons), or several with a space between. The `defaultTokenScope` of the account when absent.',
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
    'The token carries `analyse` and `configure` as far as the key has them and neither `scope` nor the account narrows it; `people` only if `scope` names it; never `admin` or `tokens`. It dies with its key.',
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
  summary: "Answers the server's UTC time.",
  description: 'Needs a valid credential, and no scope.',
  example: {},
})

export const securityEndpoints = {
  getToken,
  getUtcNow,
}
