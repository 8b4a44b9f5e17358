import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, text } from '../elements.ts'
import { capturePlan } from './session.ts'
import { theme } from './theme.ts'

export const linkStates = ['Valid', 'Expired', 'NonceAlreadyUsed'] as const

/** [Note: Ours] Without this, a page would have to use up a one-time link just to find out what to show. */
export const readLink = endpoint({
  method: 'POST',
  path: '/v1/verification/read-link',
  auth: 'none',
  inClient: true,
  rate: 'requests',
  leaves: 'nothing',
  audit: 'unrecorded',
  body: jsonObject({
    verificationId: text('The verification of the path of the link.'),
    queryString: text('The query string of the link, without anything after its signature.'),
  }),
  result: v.object({
    state: v.pipe(
      v.picklist(linkStates),
      v.description('`Valid`: init-redirect-session would open it now. The first fault decides.'),
    ),
    theme,
    capturePlan: v.pipe(
      v.nullable(capturePlan),
      v.description(
        'What the session would capture, and what its page shows before it begins; null unless Valid.',
      ),
    ),
  }),
  errors: [400, 401, 404, 429],
  summary: 'Tells what a signed link opens, and opens nothing.',
  description:
    'Checks everything that init-redirect-session checks. Creates no session, consumes no nonce and keeps nothing, so a program that loads the page of a link changes nothing. A link that is unsigned or wrong is a 401.',
  example: {
    body: {
      verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01',
      queryString:
        'reVerificationId=0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01&order=7&reExpiration=1767225600&reSignature=0c1a',
    },
    answer: {
      state: 'NonceAlreadyUsed',
      theme: { accountName: 'Shop', accentColour: null, logo: null, region: 'EU' },
      capturePlan: null,
    },
  },
  textVariant: true,
})

export const sessionLinkEndpoints = {
  readLink,
}
