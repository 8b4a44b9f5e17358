import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, text, timestamp } from '../elements.ts'
import { opened } from './session.ts'

/** [Note: Ours] The letters and digits used in codes, without those that are easily confused. */
export const handoffAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const handoffCodeLength = 10

/** Normalises a typed code: upper case, no spaces, and digits instead of letters that look like them. */
export function readHandoffCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
}

export const createHandoff = endpoint({
  method: 'POST',
  path: '/v1/verification/create-handoff',
  auth: 'session',
  audit: 'recorded',
  result: v.object({
    code: text('Ten letters and digits in two groups, valid once.'),
    url: text('Address of the page that takes the session over, with the code after `#`.'),
    expirationUtcTime: timestamp('When the code expires.'),
  }),
  errors: [401, 403, 404, 409, 410, 429],
  summary: 'Creates a code with which another device takes the session over.',
  description:
    'Only before any picture was submitted, and only on the device that opened the session. A new code replaces the previous one. After the hand-over only the other device can submit; the first one follows the session with get-session, which also returns the redirectUrl.',
  example: {},
  textVariant: true,
})

export const takeHandoff = endpoint({
  method: 'POST',
  path: '/v1/verification/take-handoff',
  auth: 'none',
  inClient: true,
  rate: 'inits',
  leaves: 'session',
  audit: 'recorded',
  body: jsonObject({
    code: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(64, 'Must have at most 64 characters.'),
      v.description('The code as shown or typed; case, spaces and hyphens are ignored.'),
    ),
  }),
  result: v.object({
    ...opened,
    number: text('Two digits that both devices show, for the person to compare.'),
  }),
  errors: [400, 410, 429],
  summary: 'Takes a session over with the code of create-handoff. A code works once.',
  description:
    'The code serves as the credential. A code that is unknown, used, expired or replaced is a 410, and so is one whose session already has submissions, so that the cases cannot be distinguished.',
  example: { body: { code: 'K7M4P-9QXDT' } },
  textVariant: true,
})

export const cancelHandoff = endpoint({
  method: 'POST',
  path: '/v1/verification/cancel-handoff',
  auth: 'session',
  audit: 'recorded',
  result: v.object({}),
  errors: [401, 404, 409, 410],
  summary: 'Returns the session to the device that opened it and invalidates the code.',
  description:
    'Callable from the device that opened the session or the one that took it over. The other token can no longer submit. Repeating the call has no effect.',
  example: {},
  textVariant: true,
})

export const sessionHandoffEndpoints = {
  createHandoff,
  takeHandoff,
  cancelHandoff,
}
