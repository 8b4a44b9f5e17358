import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain, everybody } from '../../operator-roles.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { kioskLimits } from './kiosk-limits.ts'

export const kioskStates = ['Created', 'Paired', 'Revoked'] as const

const nullableTime = (meaning: string) =>
  v.pipe(v.nullable(v.string()), v.description(meaning), v.metadata({ format: 'date-time' }))

const locale = v.pipe(
  v.string(),
  v.maxLength(35, 'Must have at most 35 characters.'),
  v.regex(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/, 'Must be a language tag, such as en or de-AT.'),
  v.description("The initial language of the kiosk (BCP 47); the browser's language by default."),
)

const kioskId = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.description('The kiosk.'))

export const createKiosk = endpoint({
  method: 'POST',
  path: '/v1/kiosk/create',
  auth: 'key',
  scope: 'admin',
  console: builders,
  ...change,
  leadsTo: 'found',
  permittedBy: 'content',
  body: jsonObject({
    name: nameOf(100, 'A name for people.'),
    verificationId: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.description('The verification that the kiosk uses.'),
    ),
    locale: v.optional(locale),
  }),
  result: v.object({
    kioskId: text('The new kiosk.'),
    pairingCode: text('Ten letters and digits in two groups, valid for one device.'),
    pairingExpirationUtcTime: timestamp('When the code expires.'),
    pairingUrl: text('Address of the page that pairs the device, with the code after `#`.'),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Creates a kiosk and a code that pairs one device with it.',
  description: `Open the pairingUrl on the device within ${kioskLimits.pairingInMinutes} minutes. An unknown verification is a 404. A verification that cannot be passed at a kiosk, because its faceRecognition needs an external id, is a 400.`,
  example: {
    body: { name: 'Front desk', verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01', locale: 'en' },
  },
  textVariant: true,
})

export const getAllKiosks = endpoint({
  method: 'GET',
  path: '/v1/kiosk/get-all',
  auth: 'key',
  scope: 'admin',
  console: everybody,
  result: v.object({
    kiosks: v.pipe(
      v.array(
        v.object({
          kioskId: text('The kiosk.'),
          name: text('Its name.'),
          verificationId: text('The verification that it uses.'),
          locale: nullableText('The initial language, or null.'),
          state: v.pipe(
            v.picklist(kioskStates),
            v.description('`Created` until a device is paired; `Revoked` permanently.'),
          ),
          createdUtcTime: timestamp('When it was created.'),
          pairedUtcTime: nullableTime('When a device was paired, or null.'),
          lastSeenUtcTime: nullableTime('When it last contacted the server, to the minute, or null.'),
          queued: v.pipe(
            v.nullable(v.pipe(v.number(), v.integer())),
            v.description(
              'Number of captures waiting on the device: as last reported, less those received since, or null.',
            ),
          ),
          storage: v.pipe(
            v.nullable(
              v.object({
                usedBytes: v.pipe(v.number(), v.description('Used storage.')),
                quotaBytes: v.pipe(v.number(), v.description('Available storage in total.')),
              }),
            ),
            v.description('Used and available storage of the device, as last reported, or null.'),
          ),
          clockDriftInSeconds: v.pipe(
            v.nullable(v.number()),
            v.description("How far the device's clock is ahead of the server's, as last reported, or null."),
          ),
          clockIsOff: flag(`True if the clock is off by more than ${kioskLimits.driftInSeconds} seconds.`),
          lastSequence: v.pipe(
            v.nullable(v.pipe(v.number(), v.integer())),
            v.description(
              "The sequence of the device's last capture, as last reported, or null. If it exceeds the received and queued captures together, some are lost or set aside.",
            ),
          ),
          receivedCount: v.pipe(
            v.number(),
            v.integer(),
            v.description('Number of captures that arrived and were judged.'),
          ),
        }),
      ),
      v.description('All kiosks of the account, oldest first.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Lists the kiosks of the account with their state.',
  example: {},
  textVariant: true,
})

export const revokeKiosk = endpoint({
  method: 'DELETE',
  path: '/v1/kiosk/revoke',
  auth: 'key',
  scope: 'admin',
  console: buildersAgain,
  ...change,
  query: v.object({ kioskId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Revokes a kiosk permanently.',
  description:
    'From its next request on, the kiosk gets no tokens or plans and its captures are rejected. Captures that it has not sent stay sealed on the device. Repeating the call has no effect.',
  example: { query: { kioskId: '5d0f6a0e-58b9-4a2e-8f6a-6c8f3f0f2b11' } },
  textVariant: true,
})

export const kioskEndpoints = {
  createKiosk,
  getAllKiosks,
  revokeKiosk,
}
