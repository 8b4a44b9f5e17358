import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { queryInteger } from './common.ts'

export const tokenLifetime = { minimum: 60, maximum: 3600, default: 900 } as const

/** The scopes that a bearer may carry; never `admin` or `tokens`. */
export const bearerScopes = ['analyse', 'configure'] as const

const everyScope = new Set<string>(bearerScopes)

export const getToken = endpoint({
  method: 'GET',
  path: '/v1/token/get',
  auth: 'key',
  scope: 'tokens',
  query: v.object({
    expirationInSeconds: v.optional(
      queryInteger(tokenLifetime.minimum, tokenLifetime.maximum),
      tokenLifetime.default,
    ),
    /** Narrows what the token may do: `analyse`, `configure`, or both with a space between. [Note: Ours] */
    scope: v.optional(
      v.pipe(
        v.string(),
        v.check(
          (text) => text.split(' ').every((name) => everyScope.has(name)),
          'Must name analyse or configure.',
        ),
      ),
    ),
  }),
  result: v.object({
    expirationUtcTime: v.string(),
    token: v.string(),
  }),
  errors: [400, 401, 403],
  summary: 'Issues a time-limited bearer token for client-side use.',
})

export const getUtcNow = endpoint({
  method: 'GET',
  path: '/v1/datetime/utc-now',
  auth: 'key-or-bearer',
  result: v.object({ utcNow: v.string() }),
  errors: [401, 403],
  summary: "Answers the server's UTC time.",
})
