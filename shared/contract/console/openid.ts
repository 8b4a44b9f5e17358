import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, nullableText, text } from '../elements.ts'
import { consoleBasePath } from './console-paths.ts'
import { everybody } from './operator-roles.ts'
import { begunSession, ceremony, code, operatorName, responseLimitInBytes, signedIn } from './sign-in.ts'

const path = (name: string) => `${consoleBasePath}/openid${name}`

/** Where the provider sends people back to, below the console. */
export const returnPath = '/console/openid'

const mostReturnedCharacters = 8000

const returned = v.pipe(
  v.string(),
  v.maxLength(mostReturnedCharacters, `Must have at most ${mostReturnedCharacters} characters.`),
  v.description('The query that the provider sent the person back with, from `?` on.'),
)

const begun = v.object({
  ceremony: text('To be sent back with the answer.'),
  url: text('Where the person signs in.'),
})

const getProvider = endpoint({
  auth: 'none',
  method: 'GET',
  path: path(''),
  inClient: false,
  rate: 'uncounted',
  result: v.object({
    name: nullableText("What the operator's own provider is called, or null where there is none."),
  }),
  errors: [403],
  summary: 'Tells whether people may sign in by a provider of OpenID Connect.',
})

export const beginProvider = endpoint({
  auth: 'none',
  method: 'POST',
  path: path('/begin'),
  inClient: false,
  rate: 'inits',
  leaves: 'nothing',
  audit: 'unrecorded',
  body: jsonObject({}),
  result: begun,
  errors: [400, 403, 404, 429, 502],
  summary: 'Tells where to sign in at the provider. 404 where there is none.',
})

export const finishProvider = endpoint({
  auth: 'none',
  method: 'POST',
  path: path('/finish'),
  inClient: false,
  rate: 'inits',
  leaves: 'usedChallenge',
  audit: 'unrecorded',
  body: jsonObject({ ceremony, returned, code: v.optional(code), name: v.optional(operatorName) }),
  result: begunSession,
  errors: [400, 403, 404, 409, 410, 429, 502],
  summary: 'Signs the person in whom the provider let in, and sets the cookie.',
  description:
    'With the code of an invitation it is taken by it; without one, whoever is not known yet takes the invitation that names their verified address. Else a 403.',
  bodyLimitInBytes: responseLimitInBytes,
})

const beginProviderAgain = endpoint({
  auth: 'console',
  method: 'POST',
  path: path('/again/begin'),
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({}),
  result: begun,
  errors: [400, 401, 403, 404, 502],
  summary: 'Tells where who is signed in signs in afresh.',
})

const finishProviderAgain = endpoint({
  auth: 'console',
  method: 'POST',
  path: path('/again/finish'),
  console: everybody,
  rate: 'requests',
  audit: 'unrecorded',
  body: jsonObject({ ceremony, returned }),
  result: signedIn,
  errors: [400, 401, 403, 404, 502],
  summary: 'For five minutes, what is dangerous is done without asking again.',
  bodyLimitInBytes: responseLimitInBytes,
})

export const openidEndpoints = {
  getProvider,
  beginProvider,
  finishProvider,
  beginProviderAgain,
  finishProviderAgain,
}
