import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../../operator-roles.ts'
import { jsonObject, nullableText, text } from '../elements.ts'
import { consoleBasePath } from './console-paths.ts'
import { begunSession, ceremony, code, operatorName, responseLimitInBytes, signedIn } from './sign-in.ts'

const path = (name: string) => `${consoleBasePath}/openid${name}`

/** The path below the console that the provider redirects people to. */
export const returnPath = '/console/openid'

const mostReturnedCharacters = 8000

const returned = v.pipe(
  v.string(),
  v.maxLength(mostReturnedCharacters, `Must have at most ${mostReturnedCharacters} characters.`),
  v.description('The query with which the provider returned the person, including `?`.'),
)

const begun = v.object({
  ceremony: text('To be returned with the answer.'),
  url: text('Address at which the person signs in.'),
})

const getProvider = endpoint({
  auth: 'none',
  method: 'GET',
  path: path(''),
  inClient: false,
  rate: 'uncounted',
  result: v.object({
    name: nullableText("Name of the operator's own provider, or null if there is none."),
  }),
  errors: [403],
  summary: 'Returns whether people can sign in with an OpenID Connect provider.',
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
  summary: 'Returns the address for signing in at the provider. 404 if there is none.',
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
  summary: 'Signs in the person whom the provider authenticated, and sets the cookie.',
  description:
    'With an invitation code, the person accepts that invitation. Without one, a new person accepts the invitation for their verified address, or gets a 403.',
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
  summary: 'Returns the address at which a signed-in person signs in again.',
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
  summary: 'Allows dangerous operations for five minutes without another confirmation.',
  bodyLimitInBytes: responseLimitInBytes,
})

export const openidEndpoints = {
  getProvider,
  beginProvider,
  finishProvider,
  beginProviderAgain,
  finishProviderAgain,
}
