import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { image } from '../analysis/image.ts'
import { verifierConfigs, webAddress } from '../configuration/verification-config.ts'
import { builders } from '../console/operator-roles.ts'
import { jsonObject, jsonRecord, text, tinyJpeg } from '../elements.ts'
import { externalId, nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { opened, testOutcomes } from './session.ts'

/** [Note: Ours] As long as a collection id may be, and as a reserved input of a link may. */
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
        v.description('The verification whose configuration the session follows.'),
      ),
    ),
    verifierConfigs: v.optional(
      v.pipe(
        verifierConfigs,
        v.description(
          'What is checked: without a verificationId on its own, with one instead of its verifiers of the same name.',
        ),
      ),
    ),
    referenceImage: v.optional(
      v.pipe(
        image,
        v.description(
          'A picture of the person, such as the portrait of a document or a badge, with one face: JPEG or PNG, by its bytes or its address. Required where `reference` is on, a 400 where it is off. Only numbers that describe the face are kept, sealed, until the session ends.',
        ),
      ),
    ),
    externalId: v.optional(
      externalId(
        "The caller's stable key of the person, normalised to NFC; MatchVerification and UniqueMatchVerification need it.",
      ),
    ),
    correlationId: v.optional(
      nameOf(inputMaximum, 'Comes back in the result, for the caller to tell sessions apart.'),
    ),
    collectionId: input(
      'The collection in which faces are sought and kept; the one of the verification when absent.',
    ),
    customInputParameters: v.optional(
      v.pipe(
        jsonRecord(v.string()),
        v.description('Come back in the result. Names of `re` and an upper-case letter are reserved.'),
      ),
    ),
    passedUrl: v.optional(webAddress('Where a person who passed is sent: https, or http on loopback.')),
    failedUrl: v.optional(webAddress('Where a person who failed is sent: https, or http on loopback.')),
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
      'The page that runs the session, for the person to open. It carries the session token behind the `#`.',
    ),
  }),
  errors: [400, 401, 403, 404, 429],
  summary: 'Creates a session without a link.',
  description:
    'Where `reference` is on, the session compares the person with `referenceImage`: without it, without a face in it or with several it is a 400. The call then counts as a request, and its picture as an analysis. With a verificationId the session follows that configuration; verifierConfigs beside it, and passedUrl or failedUrl, are a 403 unless sessionOverrideConfig allows them. With verifierConfigs alone the session stands for itself: no result parameters are added to its addresses, no webhook is sent, and faces are recognised only with a collectionId. An unknown verification or collection is a 404.',
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
