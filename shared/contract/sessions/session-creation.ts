import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { image } from '../analysis/image.ts'
import { verifierConfigs, webAddress } from '../configuration/verification-config.ts'
import { jsonObject, jsonRecord, text, tinyJpeg } from '../elements.ts'
import { externalId, nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { opened, testOutcomes } from './session.ts'

/** [Note: Ours] The same limit as for a collection id and for a link's reserved input. */
const inputMaximum = 512

function input(meaning: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(inputMaximum, `Must have at most ${inputMaximum} characters.`),
      v.description(meaning),
    ),
  )
}

const body = v.pipe(
  jsonObject({
    verificationId: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, 'Must not be empty.'),
        v.description('The verification whose configuration the session uses.'),
      ),
    ),
    verifierConfigs: v.optional(
      v.pipe(
        verifierConfigs,
        v.description(
          'Verifiers of the session. Without a verificationId they are the whole configuration; with one they replace its verifiers of the same name.',
        ),
      ),
    ),
    referenceImage: v.optional(
      v.pipe(
        image,
        v.description(
          'A picture of the person, such as the portrait of a document or a badge, with one face: JPEG or PNG, by its bytes or its address. Required if `reference` is enabled, otherwise a 400. Only a sealed description of the face in numbers is kept, until the session ends.',
        ),
      ),
    ),
    externalId: v.optional(
      externalId(
        "The caller's stable id of the person, normalised to NFC. Required by MatchVerification and UniqueMatchVerification.",
      ),
    ),
    correlationId: v.optional(
      nameOf(inputMaximum, 'Returned in the result, so that the caller can tell sessions apart.'),
    ),
    collectionId: input(
      'The collection in which faces are searched and stored; that of the verification by default.',
    ),
    customInputParameters: v.optional(
      v.pipe(
        jsonRecord(v.string()),
        v.description(
          'Returned in the result. Names that begin with `re` and an upper-case letter are reserved.',
        ),
      ),
    ),
    passedUrl: v.optional(webAddress('Destination of a person who passed: https, or http on loopback.')),
    failedUrl: v.optional(webAddress('Destination of a person who failed: https, or http on loopback.')),
    testOutcome: v.optional(testOutcomes),
  }),
  v.forward(
    v.check(
      (sent) => sent.verificationId !== undefined || sent.verifierConfigs !== undefined,
      'Is required unless verifierConfigs are given.',
    ),
    ['verificationId'],
  ),
)

export const createSession = endpoint({
  method: 'POST',
  path: '/v1/verification/create-session',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...change,
  analysed: 'referenceImage',
  leadsTo: 'found',
  permittedBy: 'content',
  body,
  result: v.object({
    ...opened,
    captureUrl: text(
      'Address of the page on which the person completes the session, with the session token after `#`.',
    ),
  }),
  errors: [400, 401, 403, 404, 429],
  summary: 'Creates a session without a link.',
  description:
    'If `reference` is enabled, the session compares the person with `referenceImage`; a missing one, or one without exactly one face, is a 400. The call then counts as a request, and its picture as an analysis. With a verificationId the session uses that configuration; verifierConfigs, passedUrl and failedUrl are then a 403 unless sessionOverrideConfig allows them. With verifierConfigs alone, the session has no result parameters in its addresses and no webhook, and recognises faces only with a collectionId. An unknown verification or collection is a 404.',
  example: {
    body: {
      verifierConfigs: {
        liveness: { type: 'Verification', challengeType: 'Balanced' },
        reference: { type: 'Verification', threshold: 80 },
      },
      referenceImage: { bytes: tinyJpeg },
      correlationId: 'order-7',
      customInputParameters: { basket: '42' },
      passedUrl: 'https://shop.example/welcome',
      failedUrl: 'https://shop.example/sorry',
    },
    answer: {
      verificationSessionId: '660449e3a1f04c7c9d0f1b2c3d4e5f60',
      sessionToken: 'eyJhbGciOi…',
      expirationUtcTime: '2026-11-24T12:15:00.000Z',
      capturePlan: {
        verifiers: {
          liveness: true,
          age: false,
          gender: false,
          faceRecognition: false,
          emotion: false,
          reference: true,
        },
        challenge: { type: 'Balanced', actionCount: 1 },
        evidence: { trail: true, required: true, trailPerSecond: 6, trailPixels: 128 },
        locale: null,
        theme: { accountName: 'Shop', accentColour: null, logo: null, region: 'EU' },
        embedOrigins: [],
      },
      captureUrl: 'https://check.example/verification/session/660449e3a1f04c7c9d0f1b2c3d4e5f60#eyJhbGciOi…',
    },
  },
  textVariant: true,
})

export const sessionCreationEndpoints = {
  createSession,
}
