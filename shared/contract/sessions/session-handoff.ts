import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, text, timestamp } from '../elements.ts'
import { opened } from './session.ts'

/** [Note: Ours] Letters and digits of a code: none that is easily taken for another one. */
export const handoffAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const handoffCodeLength = 10

/** The code as it is compared: typed small or with gaps, and with look-alikes in place of digits, it is the same. */
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
    code: text('Ten letters and digits in two groups, for one use.'),
    url: text('The page that takes the session over. It carries the code behind the `#`.'),
    expirationUtcTime: timestamp('When the code can no longer be used.'),
  }),
  errors: [401, 403, 404, 409, 410, 429],
  summary: 'Makes a code with which another device takes the session over.',
  description:
    'Before any picture was handed in, and only by the device that opened the session; a new code takes the place of the one before. Taken over, the session is submitted by the other device alone; the first one follows it with get-session, and learns the redirectUrl there.',
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
      v.description('The code as it was shown or typed: case, gaps and hyphens do not matter.'),
    ),
  }),
  result: v.object({
    ...opened,
    number: text('Two digits that both devices show, for the person to compare.'),
  }),
  errors: [400, 410, 429],
  summary: 'Takes a session over with the code of create-handoff, once.',
  description:
    'The code stands for a credential. A code that is unknown, used, expired or replaced is a 410, and so is one whose session has begun to be submitted: nobody learns which.',
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
  summary: 'Gives the session back to the device that opened it, and makes the code worthless.',
  description:
    'By the device that opened the session, or by the one that took it over. The other token can submit nothing from then on. Repeating it changes nothing.',
  example: {},
  textVariant: true,
})

export const sessionHandoffEndpoints = {
  createHandoff,
  takeHandoff,
  cancelHandoff,
}
