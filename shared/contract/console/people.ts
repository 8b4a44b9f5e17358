import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { foldedAddress, isPlainAddress } from '../../identity/email-address.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { consoleBasePath } from './console-paths.ts'
import { everybody, ownersAgain } from './operator-roles.ts'
import { consoleRole, operatorName } from './sign-in.ts'

const own = { auth: 'console' } as const

const operatorId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of a person.'),
)
const invitationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of an invitation.'),
)
const signInId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of a sign-in.'),
)

const person = v.object({
  operatorId: text('The id of the person.'),
  name: text('What the person is called.'),
  role: consoleRole,
  joined: timestamp('When they joined the account.'),
  lastSeen: nullableText('When they last did something in the console, to the minute, or null.'),
  isYou: flag('Whether it is who asks.'),
})

const email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(254, 'Must have at most 254 characters.'),
  v.check(isPlainAddress, 'Must be an e-mail address.'),
  v.transform(foldedAddress),
  v.description(
    'Whoever signs in at the provider with this verified address takes the invitation, without its code.',
  ),
)

const invitation = v.object({
  invitationId: text('The id of the invitation.'),
  name: nullableText('Who is invited, or null where they give their name themselves.'),
  role: consoleRole,
  email: nullableText('Whose verified address at the provider takes it, or null.'),
  expiresAt: timestamp('Until when it counts.'),
})

const getSignIns = endpoint({
  ...own,
  method: 'GET',
  path: `${consoleBasePath}/sessions`,
  console: everybody,
  result: v.object({
    sessions: v.array(
      v.object({
        signInId: text('The id of the sign-in.'),
        device: text('Browser and system as they call themselves, in few words.'),
        begun: timestamp('When it began.'),
        lastSeen: timestamp('When it was last used, to the minute.'),
        isThis: flag('Whether it is the one that asks.'),
      }),
    ),
  }),
  errors: [401, 403],
  summary: "Lists where the person is signed in, the newest first. One's own alone.",
})

const endSignIn = endpoint({
  ...own,
  method: 'DELETE',
  path: `${consoleBasePath}/sessions/end`,
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  query: v.object({ signInId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: "Ends one of one's own sign-ins.",
})

export const getPeople = endpoint({
  ...own,
  method: 'GET',
  path: `${consoleBasePath}/people`,
  console: everybody,
  result: v.object({
    people: v.pipe(v.array(person), v.description('By name.')),
    invitations: v.pipe(v.array(invitation), v.description('Those that still count. Owners alone see them.')),
  }),
  errors: [401, 403],
  summary: 'Lists the people of the account with their roles. Everybody may.',
})

export const invitePerson = endpoint({
  ...own,
  method: 'POST',
  path: `${consoleBasePath}/people/invite`,
  console: ownersAgain,
  rate: 'requests',
  audit: 'recorded',
  body: jsonObject({ name: operatorName, role: consoleRole, email: v.optional(v.nullable(email)) }),
  result: v.object({
    invitation,
    url: text('The address to hand over, with the code behind `#`. It is shown here and never again.'),
  }),
  errors: [400, 401, 403, 409],
  summary: 'Invites a person for three days. Owners may, with a passkey shown a moment ago.',
  description: '409 where somebody of the account is called so, or by a name that looks the same.',
})

const withdrawInvitation = endpoint({
  ...own,
  method: 'DELETE',
  path: `${consoleBasePath}/people/withdraw-invitation`,
  console: ownersAgain,
  rate: 'requests',
  audit: 'recorded',
  query: v.object({ invitationId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Takes an invitation back. Owners may, with a passkey shown a moment ago.',
})

const changeRole = endpoint({
  ...own,
  method: 'PUT',
  path: `${consoleBasePath}/people/change-role`,
  console: ownersAgain,
  rate: 'requests',
  audit: 'recorded',
  body: jsonObject({ operatorId, role: consoleRole }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Gives a person another role. Owners may, with a passkey shown a moment ago.',
  description: 'It counts for the next call of theirs. 409 for the last owner.',
})

export const removePerson = endpoint({
  ...own,
  method: 'DELETE',
  path: `${consoleBasePath}/people/remove`,
  console: ownersAgain,
  rate: 'requests',
  audit: 'recorded',
  query: v.object({ operatorId }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: 'Takes a person out of the account. Owners may, with a passkey shown a moment ago.',
  description: 'The next call of theirs is refused. 409 for the last owner.',
})

export const peopleEndpoints = {
  getSignIns,
  endSignIn,
  getPeople,
  invitePerson,
  withdrawInvitation,
  changeRole,
  removePerson,
}
