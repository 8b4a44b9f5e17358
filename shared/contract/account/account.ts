import * as v from 'valibot'
import { endpoint, scopes } from '../../endpoint.ts'
import { builders, buildersAgain, everybody } from '../../operator-roles.ts'
import { flag, jsonObject, nullableText, queryInteger, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { identityRule, nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { usualTokenScope } from '../security/security.ts'
import { logo } from '../sessions/logo.ts'
import { themeFonts, themeModes } from '../sessions/theme.ts'

const nameMaximum = 200
const mostOrigins = 50
const mostKeyNameCharacters = 100

/** Requires an API key with the `admin` scope, which bearers never have. */
const admin = { auth: 'key', scope: 'admin' } as const

const accountName = nameOf(nameMaximum, 'The name that visitors see as the party that checks them.')

const accentColour = v.pipe(
  v.string(),
  v.regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour such as #1a6b54.'),
  v.description('Accent colour of buttons and marks on the pages, `#rrggbb`.'),
)

/** [Note: Ours] */
const displayName = v.pipe(
  v.nullable(
    v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(nameMaximum, `Must have at most ${nameMaximum} characters.`),
      identityRule,
    ),
  ),
  v.description('Name shown to visitors instead of `name`, or null.'),
)

/** [Note: Ours] */
const supportUrl = v.pipe(
  v.nullable(
    v.pipe(
      v.string(),
      v.maxLength(2048, 'Must have at most 2048 characters.'),
      v.regex(
        /^(https:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?|mailto:[^\s@\\]+@[^\s@\\]+)$/,
        'Must be an https or a mailto address.',
      ),
    ),
  ),
  v.description('Address of help for visitors: https or mailto; or null.'),
)

/** The largest corner radius, in pixels. */
export const mostRadius = 32

function themeMember<const S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.optional(v.pipe(v.nullable(schema), v.description(meaning)))
}

/** [Note: Ours] An absent member stays as it is; null restores the default. */
const themeChange = v.pipe(
  jsonObject({
    accent: themeMember(
      accentColour,
      'Accent colour of buttons and marks; the same value as `accentColour`.',
    ),
    radius: themeMember(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(mostRadius)),
      `Corner radius, 0 to ${mostRadius} pixels.`,
    ),
    font: themeMember(
      v.picklist(themeFonts),
      'The font of the pages. All choices are preinstalled on devices.',
    ),
    mode: themeMember(v.picklist(themeModes), 'Light or dark pages, or as the device prefers.'),
  }),
  v.description('Appearance of the pages. Absent members stay unchanged.'),
)

const themeDetail = v.pipe(
  v.object({
    accent: nullableText('The same as accentColour.'),
    radius: v.pipe(v.nullable(v.number()), v.description('In pixels, or null for the default.')),
    font: v.pipe(v.nullable(v.picklist(themeFonts)), v.description('Or null for the default.')),
    mode: v.pipe(v.nullable(v.picklist(themeModes)), v.description('Or null to follow the device.')),
  }),
  v.description('Appearance of the pages.'),
)

const logoPicture = v.pipe(
  v.string(),
  v.description(
    'A PNG or JPEG in Base64, up to 64 kB and 512 pixels a side. The server re-encodes it; null removes it.',
  ),
)

/** In the ASCII form that browsers use, because it is put into a header. */
const embedOrigin = v.pipe(
  v.string(),
  v.maxLength(300, 'Must have at most 300 characters.'),
  v.regex(
    /^(https:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\]))(:\d{1,5})?$/,
    'Must be an origin such as https://shop.example, in lower case (http on loopback only).',
  ),
  v.description('An origin, such as `https://shop.example`.'),
)

const attemptLimit = v.pipe(
  v.nullable(v.union([v.literal('off'), v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))])),
  v.description(
    "Failed sessions per hour allowed for each link, external id and address: 1 to 1000, `off`, or null for the deployment's limit. The limit for failed tries within sessions is three times this.",
  ),
)

/** [Note: Ours] */
const defaultTokenScope = v.pipe(
  v.nullable(usualTokenScope),
  v.description(
    'Scope of bearers that are requested without one, limited to the scopes of their key: `analyse`, `configure`, or both separated by a space; null for both.',
  ),
)

/** [Note: Ours] */
const secondOpinionPercent = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(100),
  v.description(
    'Share of reviews, in percent, that are put to a second reviewer who does not see the decision. Their pictures are stored until that reviewer has decided too, within the hours of `evidenceConfig`. 0, the default, for none.',
  ),
)

const keyId = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.description('The id of a key.'))
const scope = v.pipe(v.picklist(scopes), v.description('A scope of the key.'))

/** An account as seen by its admin. */
export const accountDetail = v.pipe(
  v.object({
    accountId: text('The id of the account.'),
    name: text('The name that visitors see as the party that checks them.'),
    created: timestamp('When the account was created.'),
    environment: v.pipe(
      v.picklist(environments),
      v.description('`test` for the test account of a live account, which test keys see.'),
    ),
    primaryKeyId: text('The id of the key that webhooks carry.'),
    webhookCarriesKey: flag('True if webhooks carry the primary key in `X-API-Key`.'),
    accentColour: nullableText('Accent colour of the pages, `#rrggbb`, or null for the default.'),
    logo,
    embedOrigins: v.pipe(
      v.array(v.string()),
      v.description(
        'Origins that may frame the pages of this account, in addition to those of the deployment.',
      ),
    ),
    attemptLimit,
    defaultTokenScope,
    secondOpinionPercent,
    displayName,
    supportUrl,
    theme: themeDetail,
  }),
  v.description('The account after the change.'),
)

export const apiKeyDetail = v.object({
  keyId: text('The id of the key. The key itself is shown only when it is created.'),
  name: text('The name of the key.'),
  scopes: v.pipe(
    v.array(scope),
    v.description('Scopes of the key; empty for a key that only webhooks carry.'),
  ),
  isPrimary: flag('True if webhooks carry this key.'),
  created: timestamp('When the key was created.'),
  lastUsed: v.pipe(
    v.nullable(v.string()),
    v.description('When the key was last used, to the minute, or null.'),
    v.metadata({ format: 'date-time' }),
  ),
  /** [Note: Ours] */
  ends: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'When the key stops working, if it was revoked with an overlap that has not ended. Otherwise absent.',
      ),
      v.metadata({ format: 'date-time' }),
    ),
  ),
  revoked: v.pipe(
    v.nullable(v.string()),
    v.description('When the key was revoked, or null.'),
    v.metadata({ format: 'date-time' }),
  ),
})

export const getAccount = endpoint({
  ...admin,
  method: 'GET',
  path: '/v1/account/get',
  console: everybody,
  result: v.object({ account: accountDetail }),
  errors: [401, 403],
  summary: 'Returns the account and its settings.',
  description: 'Name and colour appear on the pages; the other members configure sessions and webhooks.',
  example: {},
  textVariant: true,
})

export const updateAccount = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v1/account/update',
  console: builders,
  ...change,
  leadsTo: 'found',
  permittedBy: 'content',
  body: v.object({
    name: v.optional(accountName),
    webhookCarriesKey: v.optional(flag('True if webhooks carry the primary key in `X-API-Key`.')),
    accentColour: v.pipe(
      v.optional(v.nullable(accentColour)),
      v.description('Accent colour of the pages, `#rrggbb`, or null for the default.'),
    ),
    logo: v.optional(v.nullable(logoPicture)),
    embedOrigins: v.optional(
      v.pipe(
        v.array(embedOrigin),
        v.maxLength(mostOrigins, `Must name at most ${mostOrigins} origins.`),
        v.description('All origins that may frame the pages of this account. Replaces the previous list.'),
      ),
    ),
    attemptLimit: v.optional(attemptLimit),
    defaultTokenScope: v.optional(defaultTokenScope),
    secondOpinionPercent: v.optional(secondOpinionPercent),
    displayName: v.optional(displayName),
    supportUrl: v.optional(supportUrl),
    theme: v.optional(themeChange),
  }),
  result: v.object({ account: accountDetail }),
  errors: [400, 401, 403],
  summary: 'Changes settings of the account.',
  description:
    'Absent members stay unchanged. `accentColour` and `theme.accent` are the same value, so if both are sent they must be equal.',
  example: { body: { accentColour: '#1a6b54', embedOrigins: ['https://shop.example'] } },
  textVariant: true,
})

export const getKeys = endpoint({
  ...admin,
  method: 'GET',
  path: '/v1/account/get-keys',
  console: builders,
  result: v.object({
    keys: v.pipe(v.array(apiKeyDetail), v.description('All keys, including revoked ones, oldest first.')),
  }),
  errors: [401, 403],
  summary: 'Lists the API keys of the account, including revoked ones.',
  example: {},
  textVariant: true,
})

export const createKey = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/account/create-key',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: ['apiKey'] },
  leadsTo: 'keyMade',
  permittedBy: 'content',
  body: v.object({
    name: nameOf(mostKeyNameCharacters, 'The name of the key.'),
    scopes: v.pipe(
      v.array(scope),
      v.description(
        'Scopes of the key: any of admin, configure, people, analyse, tokens and review, or none.',
      ),
    ),
    mode: v.optional(
      v.pipe(
        v.picklist(environments),
        v.description(
          '`test` creates a key of the test account. Defaults to the environment of the calling key.',
        ),
      ),
    ),
  }),
  result: v.object({
    keyId: text('The id of the key.'),
    apiKey: text('The key itself. It is shown only once.'),
    mode: v.pipe(v.picklist(environments), v.description('Environment of the key.')),
  }),
  errors: [400, 401, 403],
  summary: 'Creates an API key and returns it once.',
  description:
    'A key without scopes grants no access. Create one as the primary key for webhooks, so that no webhook receiver holds a key with any rights.',
  example: { body: { name: 'Webhooks', scopes: [] } },
  textVariant: true,
})

/** One week, which is enough time to give everyone who uses the key a new one. [Note: Ours] */
const longestKeyOverlapInSeconds = 7 * 24 * 3600

export const revokeKey = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v1/account/revoke-key',
  console: buildersAgain,
  ...change,
  permittedBy: 'content',
  query: v.object({
    keyId,
    /** [Note: Ours] */
    overlapInSeconds: v.optional(
      v.pipe(
        queryInteger(0, longestKeyOverlapInSeconds),
        v.description('How long the key keeps working after it is revoked; 0 by default.'),
      ),
      0,
    ),
  }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Revokes an API key. It and its bearers stop working at once or after the overlap.',
  description:
    'Revoking a key again has no effect, unless it would stop working earlier. 409 for the primary key (choose another first) and for the last key with the scope `admin`.',
  example: { query: { keyId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10' } },
  textVariant: true,
})

export const setPrimaryKey = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v1/account/set-primary-key',
  console: buildersAgain,
  ...change,
  leadsTo: 'keySent',
  permittedBy: 'content',
  body: v.object({ keyId }),
  result: v.object({ keyId: text('The id of the key that webhooks carry from now on.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Chooses the key that webhooks carry.',
  description: 'Choose a key without scopes. 409 for a revoked key.',
  example: { body: { keyId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10' } },
  textVariant: true,
})

const rotation = v.object({
  immediately: v.optional(
    flag(
      'True invalidates the previous secrets at once, for example after a leak. Otherwise they stay valid for a while.',
    ),
    false,
  ),
})

export const rotateSigningKey = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/account/rotate-signing-key',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: [] },
  body: rotation,
  result: v.object({
    previousValidUntil: v.pipe(
      v.string(),
      v.description('Until when older links and results stay valid.'),
      v.metadata({ format: 'date-time' }),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Replaces the key that signs links and results.',
  description:
    'Existing links and results stay valid for 7 days, the longest lifetime of a link. With `immediately` they become invalid at once.',
  example: { body: {} },
  textVariant: true,
})

export const rotateWebhookSecret = endpoint({
  ...admin,
  method: 'POST',
  path: '/v1/account/rotate-webhook-secret',
  console: buildersAgain,
  ...change,
  idempotency: { redactedOnReplay: ['webhookSecret'] },
  body: rotation,
  result: v.object({
    webhookSecret: text(
      'The secret in the format of Standard Webhooks: `whsec_` and the key in Base64. It is shown only once.',
    ),
    previousSignsUntil: v.pipe(
      v.string(),
      v.description('Until when events also carry a signature by the previous secret.'),
      v.metadata({ format: 'date-time' }),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Creates a new secret for webhook signatures and returns it once.',
  description:
    'For 24 hours `webhook-signature` carries signatures by both the new and the previous secret, so receivers can switch at any time. With `immediately` the previous secret stops signing at once.',
  example: { body: {} },
  textVariant: true,
})

export const accountEndpoints = {
  getAccount,
  updateAccount,
  getKeys,
  createKey,
  revokeKey,
  setPrimaryKey,
  rotateSigningKey,
  rotateWebhookSecret,
}
