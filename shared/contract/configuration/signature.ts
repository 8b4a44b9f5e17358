import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { flag, jsonObject, text } from '../elements.ts'
import { computation } from '../policies.ts'

export const signatureLifetime = { minimum: 1, maximum: 604_800, default: 86_400 } as const

/**
 * [Note: Ours] The maximum length of a percent-encoded query string that can be signed. When verifying, it may be longer by the parameters that a
 * signature adds and the results that we append to an address.
 */
export const queryStringMaximum = 8192
export const signedQueryStringMaximum = 32_768

const queryStringOf = (maximum: number) =>
  v.pipe(
    v.string(),
    v.maxLength(maximum, `Must have at most ${maximum} characters.`),
    v.description(
      'The query string of a link; a leading `?` is removed. It may be empty and has no fragment.',
    ),
  )

/** [Note: Ours] Null counts as omitted, including for securitySettings itself. */
export const securitySettings = v.pipe(
  jsonObject({
    enableNonce: v.optional(flag('The link may be opened once. Requires expiration to be enabled.'), false),
    expirationEnabled: v.optional(flag('The link expires.'), true),
    expirationInSeconds: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(signatureLifetime.minimum),
        v.maxValue(signatureLifetime.maximum),
        v.description(
          `Seconds until the link expires; ${signatureLifetime.default} by default if expiration is enabled.`,
        ),
      ),
    ),
  }),
  v.forward(
    v.check(
      (settings) => settings.expirationEnabled || (settings.expirationInSeconds ?? undefined) === undefined,
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
  v.description('Expiry and single use of the link. Without settings it expires after a day.'),
)
export type SecuritySettings = v.InferOutput<typeof securitySettings>

export const createSignature = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/signature/create',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...computation,
  leadsTo: 'found',
  body: jsonObject({
    queryString: queryStringOf(queryStringMaximum),
    securitySettings: v.optional(securitySettings),
  }),
  result: v.object({
    signature: text(
      'HMAC-SHA-256 in lower-case hexadecimal; also the last parameter of the signed query string.',
    ),
    signedQueryString: text(
      'The query string followed by those of `reExpiration`, `reNonce` and `reSignature` that apply. Use it unchanged.',
    ),
    expiration: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.description('When the link expires, in seconds since 1970 (UTC). Absent if it does not expire.'),
        v.metadata({ format: 'int64' }),
      ),
    ),
    nonce: v.optional(
      text('The nonce that allows the link to be opened only once. Absent unless enableNonce was set.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Signs a query string, with an optional expiry and one-time nonce.',
  description:
    'The query string is first normalised to the form that a browser sends, and the signature covers that form. It must not contain `reExpiration`, `reNonce`, `reSignature` or a result parameter.',
  example: {
    body: {
      queryString: 'reExternalId=user-42&order=7',
      securitySettings: { enableNonce: true, expirationInSeconds: 3600 },
    },
  },
  textVariant: true,
})

export const signatureStates = ['Valid', 'Invalid', 'Expired', 'NonceAlreadyUsed'] as const
export type SignatureState = (typeof signatureStates)[number]

export const validateSignature = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/signature/validate',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...computation,
  body: jsonObject({ queryString: queryStringOf(signedQueryStringMaximum) }),
  result: v.object({
    result: v.pipe(
      v.picklist(signatureStates),
      v.description(
        'The first check that failed, in the order signature, expiration, nonce; otherwise Valid.',
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Checks a signed query string. Read-only: it never consumes a nonce.',
  description: 'Accepts the query string of a link or of an address to which a person was returned.',
  example: { body: { queryString: 'order=7&reSignature=0' } },
  textVariant: true,
})

export const signatureEndpoints = {
  createSignature,
  validateSignature,
}
