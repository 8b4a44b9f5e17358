import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, nullableText, text } from '../elements.ts'
import { identityRule } from '../identity.ts'
import { consoleBasePath } from './console-paths.ts'
import { everybody, everybodyAgain } from './operator-roles.ts'
import { begun, ceremony, response, responseLimitInBytes } from './sign-in.ts'

const own = { auth: 'console' } as const
const path = (name: string) => `${consoleBasePath}/passkeys${name}`

/** Passkeys that one person may have. */
export const mostPasskeys = 10
const mostNameCharacters = 60

const passkeyId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The id of a passkey.'),
)

const passkeyName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Must not be empty.'),
  v.maxLength(mostNameCharacters, `Must have at most ${mostNameCharacters} characters.`),
  identityRule,
  v.description('What the person calls it.'),
)

export const getPasskeys = endpoint({
  ...own,
  method: 'GET',
  path: path(''),
  console: everybody,
  result: v.object({
    passkeys: v.array(
      v.object({
        passkeyId: text('The id of the passkey.'),
        name: nullableText('What the person calls it, or null where it has no name yet.'),
        made: nullableText('When it was added, or null where that is not known.'),
        lastUsed: nullableText('When it was last shown, or null where that is not known.'),
      }),
    ),
  }),
  errors: [401, 403],
  summary: "Lists the person's passkeys, the oldest first. One's own alone.",
})

const beginPasskey = endpoint({
  ...own,
  method: 'POST',
  path: path('/begin'),
  console: everybodyAgain,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({}),
  result: begun,
  errors: [400, 401, 403, 409],
  summary: 'Makes the options with which the person makes a further passkey, with one shown a moment ago.',
  description: `409 \`limit_reached\` for who has ${mostPasskeys} of them.`,
})

const addPasskey = endpoint({
  ...own,
  method: 'POST',
  path: path('/add'),
  console: everybodyAgain,
  rate: 'requests',
  audit: 'recorded',
  body: jsonObject({ ceremony, response, name: passkeyName }),
  result: v.object({ passkeyId: text('The id of the new passkey.') }),
  errors: [400, 401, 403, 409],
  summary: 'Takes the further passkey, with one shown a moment ago.',
  bodyLimitInBytes: responseLimitInBytes,
})

const renamePasskey = endpoint({
  ...own,
  method: 'PUT',
  path: path('/rename'),
  console: everybody,
  rate: 'requests',
  audit: 'recorded',
  body: jsonObject({ passkeyId, name: passkeyName }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: "Gives one of the person's passkeys another name.",
})

const removePasskey = endpoint({
  ...own,
  method: 'DELETE',
  path: path('/remove'),
  console: everybodyAgain,
  rate: 'requests',
  audit: 'recorded',
  query: v.object({ passkeyId }),
  result: v.object({}),
  errors: [400, 401, 403, 404, 409],
  summary: "Forgets one of the person's passkeys, with one shown a moment ago.",
  description:
    'What was begun with it ends, but for the sign-in that asks. 409 for the last one: nobody locks themselves out.',
})

export const passkeysEndpoints = {
  getPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
}
