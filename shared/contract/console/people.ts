import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { foldedAddress, isPlainAddress } from '../../identity/email-address.ts'
import { everybody, ownersAgain } from '../../operator-roles.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { consoleBasePath } from './console-paths.ts'
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
  name: text('The name of the person.'),
  role: consoleRole,
  joined: timestamp('When they joined the account.'),
  lastSeen: nullableText('When they last did something in the console, to the minute, or null.'),
  isYou: flag('True for the person who makes the call.'),
})

const email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(254, 'Must have at most 254 characters.'),
  v.check(isPlainAddress, 'Must be an e-mail address.'),
  v.transform(foldedAddress),
  v.description(
    'A person who signs in at the provider with this verified address accepts the invitation without its code.',
  ),
)

const invitation = v.object({
  invitationId: text('The id of the invitation.'),
  name: nullableText('The name of the invited person, or null if they enter it themselves.'),
  role: consoleRole,
  email: nullableText('Verified address at the provider that accepts it, or null.'),
  expiresAt: timestamp('Until when it is valid.'),
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
        device: text('Short name of browser and system, as they identify themselves.'),
        begun: timestamp('When it began.'),
        lastSeen: timestamp('When it was last used, to the minute.'),
        isThis: flag('True for the sign-in that makes the call.'),
      }),
    ),
  }),
  errors: [401, 403],
  summary: 'Lists your own sign-ins, newest first.',
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
  summary: 'Ends one of your own sign-ins.',
})

export const getPeople = endpoint({
  ...own,
  method: 'GET',
  path: `${consoleBasePath}/people`,
  console: everybody,
  result: v.object({
    people: v.pipe(v.array(person), v.description('By name.')),
    invitations: v.pipe(
      v.array(invitation),
      v.description('Invitations that are still valid. Only owners see them.'),
    ),
  }),
  errors: [401, 403],
  summary: 'Lists the people of the account with their roles. Allowed for every role.',
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
    url: text('The address to pass on, with the code after `#`. It is shown only once.'),
  }),
  errors: [400, 401, 403, 409],
  summary: 'Invites a person for three days. Owners only, after a recent passkey confirmation.',
  description: '409 if someone in the account has this name, or one that looks the same.',
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
  summary: 'Withdraws an invitation. Owners only, after a recent passkey confirmation.',
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
  summary: 'Changes the role of a person. Owners only, after a recent passkey confirmation.',
  description: "Takes effect with the person's next call. 409 for the last owner.",
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
  summary: 'Removes a person from the account. Owners only, after a recent passkey confirmation.',
  description: "The person's next call is rejected. 409 for the last owner.",
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
