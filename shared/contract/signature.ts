import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

export const signatureLifetime = { minimum: 1, maximum: 604_800, default: 86_400 } as const

/** A query string is refused beyond this length. [Note: Ours] */
export const queryStringMaximum = 8192

const queryString = v.pipe(
  v.string(),
  v.maxLength(queryStringMaximum, `Must have at most ${queryStringMaximum} characters.`),
)

export const securitySettings = v.pipe(
  v.object({
    /** The link may be opened once. Requires expiration. */
    enableNonce: v.optional(v.boolean(), false),
    expirationEnabled: v.optional(v.boolean(), true),
    expirationInSeconds: v.optional(
      v.pipe(
        v.number(),
        v.integer('Must be a whole number.'),
        v.minValue(signatureLifetime.minimum, `Must be at least ${signatureLifetime.minimum}.`),
        v.maxValue(signatureLifetime.maximum, `Must be at most ${signatureLifetime.maximum}.`),
      ),
    ),
  }),
  v.forward(
    v.check(
      (settings) => settings.expirationEnabled || settings.expirationInSeconds === undefined,
      'Cannot be combined with expirationEnabled false.',
    ),
    ['expirationInSeconds'],
  ),
  v.forward(
    v.check(
      (settings) => settings.expirationEnabled || !settings.enableNonce,
      'Requires expiration to be enabled.',
    ),
    ['enableNonce'],
  ),
)
export type SecuritySettings = v.InferOutput<typeof securitySettings>

export const createSignature = endpoint({
  method: 'POST',
  path: '/v1/signature/create',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: v.object({ queryString, securitySettings: v.optional(securitySettings) }),
  result: v.object({
    signature: v.string(),
    signedQueryString: v.string(),
    /** UTC unix seconds; only with an expiration. */
    expiration: v.optional(v.number()),
    /** Only with a nonce. */
    nonce: v.optional(v.string()),
  }),
  errors: [400, 401, 403],
  summary: 'Signs a query string, with an optional expiry and one-time nonce.',
})

export const signatureStates = ['Valid', 'Invalid', 'Expired', 'NonceAlreadyUsed'] as const
export type SignatureState = (typeof signatureStates)[number]

export const validateSignature = endpoint({
  method: 'POST',
  path: '/v1/signature/validate',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: v.object({ queryString }),
  result: v.object({ result: v.picklist(signatureStates) }),
  errors: [400, 401, 403],
  summary: 'Checks a signed query string. Read-only: it never consumes a nonce.',
})
