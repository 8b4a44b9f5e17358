import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { flag, jsonObject, jsonRecord, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { consoleBasePath } from './console-paths.ts'
import { everybody, operatorRoles } from './operator-roles.ts'

const mostNameCharacters = 100
const mostCeremonyCharacters = 1000
const mostCodeCharacters = 100

/** Of a WebAuthn answer. */
export const responseLimitInBytes = 64 * 1024

/**
 * [Note: Names are read] No control characters, and nothing unseen but what joins letters (U+200C, U+200D): two names that look alike in the
 * audit log are the same.
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
  v.description('What the person is called in the console and in the audit log.'),
)

export const code = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.maxLength(mostCodeCharacters, `Must have at most ${mostCodeCharacters} characters.`),
  v.description('The code of an invitation: what stands behind `#` in its address.'),
)

export const ceremony = v.pipe(
  v.string(),
  v.maxLength(mostCeremonyCharacters, `Must have at most ${mostCeremonyCharacters} characters.`),
  v.description('What `begin` answered, as it is. It counts for five minutes, and once.'),
)

export const response = v.pipe(
  jsonRecord(v.unknown()),
  v.description('What the browser made with the options, as WebAuthn writes it in JSON.'),
)

export const begun = v.object({
  ceremony: text('To be sent back with the answer.'),
  options: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description(
      'For `startAuthentication` or `startRegistration` of @simplewebauthn/browser, as `optionsJSON`.',
    ),
  ),
})

export const consoleRole = v.pipe(v.picklist(operatorRoles), v.description('What the person may do.'))

const membership = v.object({
  accountId: text('The id of the live account.'),
  name: text('Whom visitors are told that they are checked for.'),
  hasDefaultName: flag('Whether nobody has given the account a name yet: the first thing to ask.'),
  role: consoleRole,
})

/** Who is signed in, and to what. */
export const signedIn = v.object({
  operatorId: text('The id of the person.'),
  name: text('What the person is called.'),
  accounts: v.pipe(v.array(membership), v.description('The accounts that they may go to, oldest first.')),
  accountId: text('The live account that the calls of this sign-in go to.'),
  environment: v.pipe(
    v.picklist(environments),
    v.description('`test` where the calls go to its test account.'),
  ),
  region: text('The region of this deployment, as visitors are told it.'),
  canReachHigh: flag(
    'Whether the operator of this deployment trusts makers of devices (`PASSKEY_ROOTS`): without, nobody reaches the assurance `high`.',
  ),
  role: consoleRole,
  passkeyShownUntil: timestamp('Until when nothing dangerous asks for the passkey again.'),
  shownBy: v.pipe(
    v.picklist(['passkey', 'provider']),
    v.description('What shows again that it is them: their passkey, or a fresh sign-in at the provider.'),
  ),
  endsAt: timestamp('When the sign-in ends, whatever happens. Thirty idle minutes end it too.'),
})
export type SignedIn = v.InferOutput<typeof signedIn>

export const begunSession = v.object({
  antiForgery: text(
    'To be sent in `X-Anti-Forgery` with every call. It is shown here and never again: the page keeps it as long as it is signed in.',
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
  summary: 'Makes the options with which a person shows a passkey. Nobody is named.',
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
  summary: 'Signs the person in whose passkey it is, and sets the cookie.',
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
    name: text('Who is invited; where the invitation names nobody, the name that was sent.'),
    role: consoleRole,
    accountName: text('The account that they are invited to.'),
  }),
  errors: [400, 403, 404, 409, 410, 429],
  summary: 'Makes the options with which who was invited makes a passkey.',
  description:
    '400 at `#/name` where the invitation names nobody and no name was sent: ask for it. 410 `link_expired` after its time, `link_already_used` after it was used.',
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
  summary: 'Takes the new passkey and signs its person in. The invitation is used by it.',
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
  summary: 'Takes an invitation to another account as who is signed in, and goes there.',
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
  summary: 'Makes the options with which who is signed in shows the passkey again.',
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
  summary: 'For five minutes, what is dangerous is done without asking again.',
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
  summary: 'Tells who is signed in, and to what.',
})

const switchAccount = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/switch`,
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({
    accountId: v.pipe(v.string(), v.description('The id of a live account, one of `accounts`.')),
    environment: v.picklist(environments),
  }),
  result: signedIn,
  errors: [400, 401, 403],
  summary: 'Lets the calls of this sign-in go to another account, or to its test account.',
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
