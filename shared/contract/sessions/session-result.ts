import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../../operator-roles.ts'
import { assurances } from '../configuration/check-settings.ts'
import { flag, nullableText, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { kioskAnswer } from './kiosk-answer.ts'
import { action, failedReasons, injectionHints, verificationResults, verifierResults } from './session.ts'
import { deviceFindingKinds, sessionPasskey } from './session-passkey.ts'

function ofVerifier(name: string) {
  return v.pipe(v.picklist(verifierResults), v.description(`Result of ${name}.`))
}

export const findingKinds = [
  'sameScene',
  'similarFace',
  'forgerySuspected',
  'denied',
  'denySkipped',
  ...deviceFindingKinds,
] as const

/** A reason to look into a session: it resembles an earlier one, or its passkey's device is suspicious. */
export const finding = v.object({
  kind: v.pipe(v.picklist(findingKinds), v.description('Kind of finding.')),
  verificationSessionId: text('The earlier session, or this one if the finding is about its device.'),
})
export const findings = v.array(finding)

/** A reviewer's decision on a session. [Note: Ours] */
export const reviewDetail = v.object({
  decision: v.pipe(
    v.picklist(verificationResults),
    v.description("The reviewer's decision; the verdict stays."),
  ),
  note: nullableText('Why, for people.'),
  reviewedAt: timestamp('When it was reviewed.'),
  by: text('The id of the reviewing key, or the name of the reviewer in the console.'),
  saw: v.optional(
    v.pipe(
      v.object({
        pictures: v.pipe(v.number(), v.integer(), v.description('Number of pictures.')),
        film: v.pipe(v.number(), v.integer(), v.description('Number of pictures in the film.')),
      }),
      v.description('Evidence that was available to the reviewer; absent if there was none.'),
    ),
  ),
})

/** A reviewer's decision, or null. */
export const review = v.pipe(
  v.nullable(reviewDetail),
  v.description("The reviewer's decision, or null if there is none."),
)
export type Review = NonNullable<v.InferOutput<typeof review>>

/** All results of a completed session, regardless of `resultParameterConfig`. */
export const sessionResult = v.object({
  verificationSessionId: text('The session.'),
  /** [Note: Ours] */
  environment: v.pipe(v.picklist(environments), v.description('Live or test session.')),
  /** [Note: Ours] */
  resultId: text(
    'Id of the result: 128 random bits, unique to the session. A signed result address contains it.',
  ),
  verificationResult: v.pipe(v.picklist(verificationResults), v.description('The verdict.')),
  verificationFailedReasons: v.pipe(
    v.array(v.picklist(failedReasons)),
    v.description('All reasons for a Fail; empty for a Pass.'),
  ),
  livenessVerificationResult: ofVerifier('the liveness check and its challenge'),
  ageVerificationResult: ofVerifier('the age rule'),
  estimatedAge: v.optional(v.pipe(v.number(), v.description('Estimated age in years.'))),
  genderVerificationResult: ofVerifier('the estimate of gender'),
  estimatedGender: v.optional(
    v.pipe(v.picklist(['Male', 'Female']), v.description('Estimated gender, by appearance.')),
  ),
  faceRecognitionResult: ofVerifier('face recognition'),
  /** [Note: Ours] */
  referenceResult: v.pipe(
    v.picklist(verifierResults),
    v.description(
      'Result of the comparison with the reference picture: Pass or Fail under Verification; NotExecuted otherwise, or if no face was good enough to compare.',
    ),
  ),
  /** [Note: Ours] */
  referenceSimilarity: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer())),
    v.description(
      'Similarity of the person and the reference picture, -1 to 100, on the scale of compare-face-embeddings; null without a comparison.',
    ),
  ),
  faceId: v.optional(text('The face in the collection of the verification, the same at each visit.')),
  correlationId: v.optional(text("The caller's own id of the visit.")),
  totalFaceCount: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description(
      'The largest number of faces in one picture. Small faces count if they are in one picture of the session, near ones only if they are in all.',
    ),
  ),
  customInputParameters: v.pipe(
    v.record(v.string(), v.string()),
    v.description("The caller's own parameters, by name. If a name was repeated, the last value is used."),
  ),
  /** [Note: Ours] */
  assurance: v.pipe(
    v.picklist(assurances),
    v.description(
      'Evidence for a living person. No level proves it; docs/assurance.md lists the attacks that pass each. `none`: no pictures were judged; `low`; `standard`: challenge and passive check passed, the trail is complete, two cues held and none is broken; `high`: also a passkey from an earlier visit, on a device attested by a maker whom the operator trusts. It proves a device, not a camera. Failed sessions have `low` at most.',
    ),
  ),
  /** [Note: Ours] */
  policyVersion: text('Version of the rules that judged: the date of the newest rule.'),
  /** [Note: Ours] */
  wouldFail: v.pipe(
    v.array(v.picklist(failedReasons)),
    v.description(
      'Reasons found by rules that the verification only observes (`livenessPolicy`); may be empty.',
    ),
  ),
  /** [Note: Ours] */
  findings: v.pipe(
    findings,
    v.description(
      'Earlier sessions of the account, of the last 7 days, that this one resembles, the latest ten of each kind; and problems with the device of its passkey. May be empty. `sameScene`: the same place and light around the person; `similarFace`: the same face under another external id or none; `forgerySuspected`: both sessions have the same link, external id or address and ended with a broken cue or `evidenceMissing`; `denied`: the face matches one in a collection of `denyCollectionIds`; `denySkipped`: one of these collections no longer exists or belongs to other networks (both name the session itself); `deviceRevoked`: the device is listed in `PASSKEY_REVOKED`; `deviceUnknown`: the passkey was bound before its certificates were stored, so they cannot be compared with that list. These two refer to the session itself, and the passkey leads to `standard` at most. The others do not affect the verdict and are for reviewers. Captures of kiosks have none. Neither the webhook nor the result address includes them.',
    ),
  ),
  /** [Note: Ours] */
  denied: v.optional(
    v.pipe(
      v.object({
        collectionId: text('One of the `denyCollectionIds`.'),
        faceId: text('The face in it that the person matches.'),
        externalId: nullableText('Its external id; null if it has none or no longer exists.'),
      }),
      v.description(
        'The face that must not pass and that the person matches. Only for callers with the scope `people`, `configure` or `review`, and never in the result address.',
      ),
    ),
  ),
  /** [Note: Ours] */
  passkeys: v.pipe(v.array(sessionPasskey), v.description('Passkeys shown in the visit and bound after it.')),
  /** [Note: Ours] */
  tries: v.pipe(v.number(), v.integer(), v.description('Number of judged tries; 0 if there were none.')),
  /** [Note: Ours] */
  review,
  /** [Note: Ours] */
  injectionHints: v.pipe(
    v.array(v.picklist(injectionHints)),
    v.description(
      'Signs in the report of the device that the pictures do not come from a camera: `virtualCamera` by its name; `constantPictures` if each is exactly as bright as the one before. An injector can avoid both. They lower `high` to `standard` and decide nothing else.',
    ),
  ),
  /** [Note: Ours] */
  emotion: v.optional(
    v.pipe(
      v.record(v.string(), v.number()),
      v.description('Share of each expression, 0 to 1. Present only if the configuration enables it.'),
    ),
  ),
  /** [Note: Ours] */
  alternativeAction: v.optional(
    v.pipe(action, v.description('The action that replaced one the person could not perform.')),
  ),
  /** [Note: Ours] */
  galleryTooLarge: v.optional(
    flag('True if the collection has more faces than the scores are calibrated for.'),
  ),
  /** [Note: Ours] */
  capturedAt: v.optional(timestamp('When the kiosk took the capture, by its corrected clock.')),
  /** [Note: Ours] */
  kiosk: v.optional(
    v.pipe(
      v.object({
        kioskId: text('The kiosk.'),
        captureId: text("The device's id of the capture."),
        receivedAt: timestamp('When it arrived.'),
        clockDriftInSeconds: v.pipe(
          v.number(),
          v.description("How far the device's own clock was ahead, as the device knew it."),
        ),
        answer: kioskAnswer,
        differs: flag(
          'True if the kiosk had answered Pass or Fail on the spot and the verdict is the opposite.',
        ),
      }),
      v.description('Present if the session came from a kiosk.'),
    ),
  ),
})
export type SessionResult = v.InferOutput<typeof sessionResult>

export const getSessionResult = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/verification/get-session-result',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
  query: v.object({
    verificationSessionId: v.pipe(v.string(), v.minLength(1), v.description('The session.')),
  }),
  result: sessionResult,
  errors: [400, 401, 403, 404],
  summary: 'Returns the full result of a completed session of the last 7 days.',
  description:
    'Returns all results, regardless of `resultParameterConfig`. 404 if the session does not exist, is older than 7 days or belongs to another account; with the code `session_not_completed` if it is still open.',
  example: {
    query: { verificationSessionId: '6d1f0a52-2f0c-4a5e-9d59-0c1a3b7e8f10' },
    answer: {
      verificationSessionId: '660449e3a1f04c7c9d0f1b2c3d4e5f60',
      environment: 'live',
      resultId: 'a7eb88954126a703904b30d68ab535b7',
      verificationResult: 'Fail',
      verificationFailedReasons: ['referenceMismatch'],
      livenessVerificationResult: 'Pass',
      ageVerificationResult: 'NotExecuted',
      genderVerificationResult: 'NotExecuted',
      faceRecognitionResult: 'NotExecuted',
      referenceResult: 'Fail',
      referenceSimilarity: 12,
      correlationId: 'order-7',
      totalFaceCount: 1,
      customInputParameters: { basket: '42' },
      assurance: 'low',
      policyVersion: '2026-11-29',
      wouldFail: [],
      findings: [],
      passkeys: [],
      tries: 1,
      review: null,
      injectionHints: [],
    },
  },
  textVariant: true,
})

export const sessionResultEndpoints = {
  getSessionResult,
}
