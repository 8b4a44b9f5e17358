import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody, everybodyAgain } from '../../operator-roles.ts'
import { jsonObject, nullableText, text } from '../elements.ts'
import { identityRule } from '../identity.ts'
import { consoleBasePath } from './console-paths.ts'
import { begun, ceremony, response, responseLimitInBytes } from './sign-in.ts'

const own = { auth: 'console' } as const
const path = (name: string) => `${consoleBasePath}/passkeys${name}`

/** The maximum number of passkeys per person. */
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
  v.description("The person's name for the passkey."),
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
        name: nullableText("The person's name for it, or null if it has none yet."),
        made: nullableText('When it was added, or null if unknown.'),
        lastUsed: nullableText('When it was last used, or null if unknown.'),
      }),
    ),
  }),
  errors: [401, 403],
  summary: 'Lists your own passkeys, oldest first.',
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
  summary: 'Returns the options for creating another passkey. Requires a recent passkey confirmation.',
  description: `409 \`limit_reached\` if the person already has ${mostPasskeys} passkeys.`,
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
  summary: 'Registers another passkey. Requires a recent passkey confirmation.',
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
  summary: 'Renames one of your own passkeys.',
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
  summary: 'Deletes one of your own passkeys. Requires a recent passkey confirmation.',
  description:
    'Ends the sign-ins that were made with it, except the one that makes this call. 409 for the last passkey, so that the person does not lock themselves out.',
})

export const passkeysEndpoints = {
  getPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
}
