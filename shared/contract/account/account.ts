import * as v from 'valibot'
import { endpoint, scopes } from '../../endpoint.ts'
import { builders, buildersAgain, everybody } from '../console/operator-roles.ts'
import { flag, jsonObject, nullableText, queryInteger, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { identityRule, nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { usualTokenScope } from '../security/security.ts'
import { themeFonts, themeModes } from '../sessions/theme.ts'
import { logo } from './logo.ts'

const nameMaximum = 200
const mostOrigins = 50
const mostKeyNameCharacters = 100

/** An account admin's word: with an API key that has the scope `admin`; no bearer ever has. */
const admin = { auth: 'key', scope: 'admin' } as const

const accountName = nameOf(nameMaximum, 'Whom visitors are told that they are checked for.')

const accentColour = v.pipe(
  v.string(),
  v.regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour such as #1a6b54.'),
  v.description('The colour of buttons and marks on the pages, `#rrggbb`.'),
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
  v.description('What visitors are told instead of the name, or null.'),
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
  v.description('Where visitors find help: https or mailto; or null.'),
)

/** How round corners may be, in pixels. */
export const mostRadius = 32

function themeMember<const S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.optional(v.pipe(v.nullable(schema), v.description(meaning)))
}

/** [Note: Ours] What is absent stays as it is; null takes the house's own. */
const themeChange = v.pipe(
  jsonObject({
    accent: themeMember(accentColour, 'The colour of buttons and marks; `accentColour` is the same value.'),
    radius: themeMember(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(mostRadius)),
      `How round corners are, 0 to ${mostRadius} pixels.`,
    ),
    font: themeMember(v.picklist(themeFonts), 'The font of the pages; each is on the device already.'),
    mode: themeMember(v.picklist(themeModes), 'Whether the pages are light, dark, or as the device is.'),
  }),
  v.description('How the pages look. Of a member that is absent nothing changes.'),
)

const themeDetail = v.pipe(
  v.object({
    accent: nullableText('The same as accentColour.'),
    radius: v.pipe(v.nullable(v.number()), v.description('In pixels, or null for that of the house.')),
    font: v.pipe(v.nullable(v.picklist(themeFonts)), v.description('Or null for that of the house.')),
    mode: v.pipe(v.nullable(v.picklist(themeModes)), v.description('Or null for that of the device.')),
  }),
  v.description('How the pages look.'),
)

const logoPicture = v.pipe(
  v.string(),
  v.description('A PNG or JPEG in Base64, up to 64 kB and 512 pixels a side, drawn anew; null removes it.'),
)

/** Written as a browser writes an origin, in ASCII: it becomes part of a header. */
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
    "Failed sessions an hour, for each link, external id and address: 1 to 1000, `off`, or null for the deployment's limit. Of failed tries within sessions three times as many.",
  ),
)

/** [Note: Ours] */
const defaultTokenScope = v.pipe(
  v.nullable(usualTokenScope),
  v.description(
    'What a bearer carries that is asked for without a scope, as far as its key has it: `analyse`, `configure`, or both with a space between; null for both.',
  ),
)

const keyId = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.description('The id of a key.'))
const scope = v.pipe(v.picklist(scopes), v.description('What the key may do.'))

/** Everything of an account that its admin may see. */
export const accountDetail = v.pipe(
  v.object({
    accountId: text('The id of the account.'),
    name: text('Whom visitors are told that they are checked for.'),
    created: timestamp('When the account was made.'),
    environment: v.pipe(
      v.picklist(environments),
      v.description('`test` for the shadow of a live account, which a test key sees.'),
    ),
    primaryKeyId: text('The id of the key that webhooks carry.'),
    webhookCarriesKey: flag('Whether webhooks carry the primary key in `X-API-Key`.'),
    accentColour: nullableText('The colour of the pages, `#rrggbb`, or null for the house colour.'),
    logo,
    embedOrigins: v.pipe(
      v.array(v.string()),
      v.description('Origins that may frame the pages of this account, besides those of the deployment.'),
    ),
    attemptLimit,
    defaultTokenScope,
    displayName,
    supportUrl,
    theme: themeDetail,
  }),
  v.description('The account, as it is now.'),
)

export const apiKeyDetail = v.object({
  keyId: text('The id of the key; not the key itself, which was shown once.'),
  name: text('What the key is called.'),
  scopes: v.pipe(
    v.array(scope),
    v.description('What the key may do; empty for a key that only webhooks carry.'),
  ),
  isPrimary: flag('Whether webhooks carry this key.'),
  created: timestamp('When the key was made.'),
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
        'When it stops working, where it was revoked with an overlap that is not over. Absent otherwise.',
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
  description:
    'The colour and the name are those that the pages show; the rest says what sessions and webhooks may.',
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
    webhookCarriesKey: v.optional(flag('Whether webhooks carry the primary key in `X-API-Key`.')),
    accentColour: v.pipe(
      v.optional(v.nullable(accentColour)),
      v.description('The colour of the pages, `#rrggbb`, or null for the house colour.'),
    ),
    logo: v.optional(v.nullable(logoPicture)),
    embedOrigins: v.optional(
      v.pipe(
        v.array(embedOrigin),
        v.maxLength(mostOrigins, `Must name at most ${mostOrigins} origins.`),
        v.description('Every origin that may frame the pages of this account; replaces those before.'),
      ),
    ),
    attemptLimit: v.optional(attemptLimit),
    defaultTokenScope: v.optional(defaultTokenScope),
    displayName: v.optional(displayName),
    supportUrl: v.optional(supportUrl),
    theme: v.optional(themeChange),
  }),
  result: v.object({ account: accountDetail }),
  errors: [400, 401, 403],
  summary: 'Changes settings of the account.',
  description:
    'What is absent stays as it is. `accentColour` and `theme.accent` are one value: both may be sent only where they are equal.',
  example: { body: { accentColour: '#1a6b54', embedOrigins: ['https://shop.example'] } },
  textVariant: true,
})

export const getKeys = endpoint({
  ...admin,
  method: 'GET',
  path: '/v1/account/get-keys',
  console: builders,
  result: v.object({
    keys: v.pipe(v.array(apiKeyDetail), v.description('Every key that there was, oldest first.')),
  }),
  errors: [401, 403],
  summary: 'Lists the API keys of the account, revoked ones too.',
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
    name: nameOf(mostKeyNameCharacters, 'What the key is called.'),
    scopes: v.pipe(
      v.array(scope),
      v.description(
        'What the key may do: any of admin, configure, people, analyse, tokens and review, or none.',
      ),
    ),
    mode: v.optional(
      v.pipe(
        v.picklist(environments),
        v.description(
          '`test` makes a key of the test account, the shadow of this one; as the key that asks when absent.',
        ),
      ),
    ),
  }),
  result: v.object({
    keyId: text('The id of the key.'),
    apiKey: text('The key itself. It is shown here and never again.'),
    mode: v.pipe(v.picklist(environments), v.description('What it is a key of.')),
  }),
  errors: [400, 401, 403],
  summary: 'Makes an API key, and tells it once.',
  description:
    'A key without scopes opens nothing. Make one for webhooks alone and choose it as the primary key: then no receiver of webhooks ever holds a key that can do something.',
  example: { body: { name: 'Webhooks', scopes: [] } },
  textVariant: true,
})

/** A week, within which everybody who holds a key can be given another one. [Note: Ours] */
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
        v.description('For how long it goes on working, while another one takes its place; 0 when absent.'),
      ),
      0,
    ),
  }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Revokes an API key; it and its bearers stop working at once, or after a time.',
  description:
    'Revoking a key again changes nothing, unless it would stop working earlier. 409 for the primary key (choose another first) and for the last key with the scope `admin`.',
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
  description: 'A key without scopes is recommended. 409 for a revoked key.',
  example: { body: { keyId: 'b4a0e0a2-6f5b-4d0e-9a57-0c1f6f2f7f10' } },
  textVariant: true,
})

const rotation = v.object({
  immediately: v.optional(
    flag('True drops the former secrets at once, as after a leak; else they count a while longer.'),
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
      v.description('Until when links and results signed before are still valid.'),
      v.metadata({ format: 'date-time' }),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Signs links and results with a new key from now on.',
  description:
    'What was signed before stays valid for 7 days, as long as a link that expires can live. With `immediately` every older link and result is invalid at once.',
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
      'The secret as Standard Webhooks write it: `whsec_` and the Base64 of the key. It is shown here and never again.',
    ),
    previousSignsUntil: v.pipe(
      v.string(),
      v.description('Until when events also carry a signature by the former secret.'),
      v.metadata({ format: 'date-time' }),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Makes a new secret for webhook signatures, and tells it once.',
  description:
    'For 24 hours `webhook-signature` carries two signatures, by the new and by the former secret, so that a receiver may change over at any time. With `immediately` the former one signs no more.',
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
