import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody, operatorRoles } from '../../operator-roles.ts'
import { flag, jsonObject, jsonRecord, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { consoleBasePath } from './console-paths.ts'

const mostNameCharacters = 100
const mostCeremonyCharacters = 1000
const mostCodeCharacters = 100

/** The maximum size of a WebAuthn response. */
export const responseLimitInBytes = 64 * 1024

/**
 * [Note: Names are read] Rejects control characters and all invisible characters except joiners (U+200C, U+200D), so that names that look alike
 * in the audit log are the same.
 */
function isPlain(name: string): boolean {
  return !/[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u.test(name)
}

export const operatorName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Must not be empty.'),
  v.check(isPlain, 'Must have no invisible character and none that changes the direction of the text.'),
  v.normalize('NFC'),
  v.maxLength(mostNameCharacters, `Must have at most ${mostNameCharacters} characters.`),
  v.description('The name of the person in the console and in the audit log.'),
)

export const code = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.maxLength(mostCodeCharacters, `Must have at most ${mostCodeCharacters} characters.`),
  v.description('The code of an invitation: the part after `#` in its address.'),
)

export const ceremony = v.pipe(
  v.string(),
  v.maxLength(mostCeremonyCharacters, `Must have at most ${mostCeremonyCharacters} characters.`),
  v.description('The value from `begin`, unchanged. It is valid once, for five minutes.'),
)

export const response = v.pipe(
  jsonRecord(v.unknown()),
  v.description("The browser's answer to the options, in WebAuthn's JSON form."),
)

export const begun = v.object({
  ceremony: text('To be returned with the answer.'),
  options: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description(
      'For `startAuthentication` or `startRegistration` of @simplewebauthn/browser, as `optionsJSON`.',
    ),
  ),
})

export const consoleRole = v.pipe(v.picklist(operatorRoles), v.description('The role of the person.'))

const membership = v.object({
  accountId: text('The id of the live account.'),
  name: text('The name that visitors see as the party that checks them.'),
  hasDefaultName: flag(
    'True while the account still has its default name, so that the console can ask for one.',
  ),
  role: consoleRole,
})

/** The signed-in person and their current account. */
export const signedIn = v.object({
  operatorId: text('The id of the person.'),
  name: text('The name of the person.'),
  accounts: v.pipe(v.array(membership), v.description('The accounts that they can switch to, oldest first.')),
  accountId: text('The live account that this sign-in works with.'),
  environment: v.pipe(v.picklist(environments), v.description('`test` if calls go to its test account.')),
  region: text('The region of this deployment, as shown to visitors.'),
  canReachHigh: flag(
    'True if this deployment trusts makers of devices (`PASSKEY_ROOTS`). Otherwise the assurance `high` cannot be reached.',
  ),
  role: consoleRole,
  passkeyShownUntil: timestamp('Until when dangerous operations need no passkey confirmation.'),
  shownBy: v.pipe(
    v.picklist(['passkey', 'provider']),
    v.description(
      'How the person confirms their identity again: with their passkey or by a fresh sign-in at the provider.',
    ),
  ),
  endsAt: timestamp('When the sign-in ends at the latest. It also ends after thirty idle minutes.'),
})
export type SignedIn = v.InferOutput<typeof signedIn>

export const begunSession = v.object({
  antiForgery: text(
    'Send it in `X-Anti-Forgery` with every call. It is returned only once; the page keeps it until sign-out.',
  ),
  me: signedIn,
})

const open = { method: 'POST', auth: 'none' } as const
const own = { auth: 'console' } as const

const beginSignIn = endpoint({
  ...open,
  path: `${consoleBasePath}/sign-in/begin`,
  inClient: false,
  rate: 'uncounted',
  leaves: 'nothing',
  audit: 'unrecorded',
  body: jsonObject({}),
  result: begun,
  errors: [400, 403, 409, 429],
  summary: 'Returns the options for signing in with a passkey, without naming a person.',
})

const finishSignIn = endpoint({
  ...open,
  path: `${consoleBasePath}/sign-in/finish`,
  inClient: false,
  rate: 'inits',
  leaves: 'usedChallenge',
  audit: 'unrecorded',
  body: jsonObject({ ceremony, response }),
  result: begunSession,
  errors: [400, 401, 403, 409, 429],
  summary: 'Signs in the person who owns the passkey, and sets the cookie.',
  bodyLimitInBytes: responseLimitInBytes,
})

const beginInvitation = endpoint({
  ...open,
  path: `${consoleBasePath}/invitation/begin`,
  inClient: false,
  rate: 'inits',
  leaves: 'nothing',
  audit: 'unrecorded',
  body: jsonObject({ code, name: v.optional(operatorName) }),
  result: v.object({
    ...begun.entries,
    name: text('The name of the invited person; if the invitation has none, the name that was sent.'),
    role: consoleRole,
    accountName: text('The account to which they are invited.'),
  }),
  errors: [400, 403, 404, 409, 410, 429],
  summary: 'Returns the options for creating a passkey for an invited person.',
  description:
    '400 at `#/name` if neither the invitation nor the request has a name: ask for it. 410 `link_expired` or `link_already_used` if the invitation is no longer valid.',
})

const finishInvitation = endpoint({
  ...open,
  path: `${consoleBasePath}/invitation/finish`,
  inClient: false,
  rate: 'inits',
  leaves: 'usedChallenge',
  audit: 'unrecorded',
  body: jsonObject({ code, name: v.optional(operatorName), ceremony, response }),
  result: begunSession,
  errors: [400, 403, 404, 409, 410, 429],
  summary: 'Registers the new passkey, signs its person in and uses up the invitation.',
  bodyLimitInBytes: responseLimitInBytes,
})

const joinAccount = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/invitation/join`,
  console: everybody,
  rate: 'inits',
  audit: 'unrecorded',
  body: jsonObject({ code }),
  result: signedIn,
  errors: [400, 401, 403, 404, 409, 410, 429],
  summary: 'Accepts an invitation to another account for the signed-in person, and switches to it.',
})

const beginAgain = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/again/begin`,
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({}),
  result: begun,
  errors: [400, 401, 403, 409],
  summary: 'Returns the options for confirming with the passkey again.',
})

const finishAgain = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/again/finish`,
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({ ceremony, response }),
  result: signedIn,
  errors: [400, 401, 403, 409],
  summary: 'Allows dangerous operations for five minutes without another confirmation.',
  bodyLimitInBytes: responseLimitInBytes,
})

const signOut = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/sign-out`,
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({}),
  result: v.object({}),
  errors: [400, 401, 403],
  summary: 'Ends this sign-in, and removes the cookie.',
})

const getMe = endpoint({
  ...own,
  method: 'GET',
  path: `${consoleBasePath}/me`,
  console: everybody,
  result: signedIn,
  errors: [401, 403],
  summary: 'Returns the signed-in person and their accounts.',
})

const switchAccount = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/switch`,
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({
    accountId: v.pipe(v.string(), v.description('The id of a live account from `accounts`.')),
    environment: v.picklist(environments),
  }),
  result: signedIn,
  errors: [400, 401, 403],
  summary: 'Switches this sign-in to another account or to its test account.',
})

export const signInEndpoints = {
  beginSignIn,
  finishSignIn,
  beginInvitation,
  finishInvitation,
  joinAccount,
  beginAgain,
  finishAgain,
  signOut,
  getMe,
  switchAccount,
}
