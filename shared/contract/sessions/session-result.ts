import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../console/operator-roles.ts'
import { flag, nullableText, text, timestamp } from '../elements.ts'
import { environments } from '../environment.ts'
import { kioskAnswer } from '../kiosk/kiosk-answer.ts'
import {
  action,
  assurances,
  failedReasons,
  injectionHints,
  verificationResults,
  verifierResults,
} from './session.ts'
import { deviceFindingKinds, sessionPasskey } from './session-passkey.ts'

function ofVerifier(name: string) {
  return v.pipe(v.picklist(verifierResults), v.description(`What came of ${name}.`))
}

export const findingKinds = ['sameScene', 'similarFace', 'forgerySuspected', ...deviceFindingKinds] as const

/** A reason to look at a session: an earlier one that it resembles, or the device of its passkey. */
export const finding = v.object({
  kind: v.pipe(v.picklist(findingKinds), v.description('What was found.')),
  verificationSessionId: text('The earlier session, or this one if the finding is about its device.'),
})
export const findings = v.array(finding)

/** What a person decided who looked at a session. [Note: Ours] */
export const reviewDetail = v.object({
  decision: v.pipe(v.picklist(verificationResults), v.description('What they say; the verdict stays.')),
  note: nullableText('Why, for people.'),
  reviewedAt: timestamp('When they said it.'),
  by: text('The id of the key that they said it with, or the name of who said it in the console.'),
  saw: v.optional(
    v.pipe(
      v.object({
        pictures: v.pipe(v.number(), v.integer(), v.description('How many pictures.')),
        film: v.pipe(v.number(), v.integer(), v.description('Of how many the film was.')),
      }),
      v.description('What of the kept evidence they had been given to see; absent where it was none.'),
    ),
  ),
})

/** The same, where there is one. */
export const review = v.pipe(
  v.nullable(reviewDetail),
  v.description('What a person decided who looked at it; null where nobody did.'),
)
export type Review = NonNullable<v.InferOutput<typeof review>>

/** Everything that a completed session found, whatever `resultParameterConfig` says. */
export const sessionResult = v.object({
  verificationSessionId: text('The session.'),
  /** [Note: Ours] */
  environment: v.pipe(v.picklist(environments), v.description('Whether it was a live session or a test.')),
  /** [Note: Ours] */
  resultId: text('Names the result: 128 random bits, one a session. A signed result address carries it.'),
  verificationResult: v.pipe(v.picklist(verificationResults), v.description('The verdict.')),
  verificationFailedReasons: v.pipe(
    v.array(v.picklist(failedReasons)),
    v.description('Every reason for a Fail; empty for a Pass.'),
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
      'What came of the comparison with the reference picture: Pass or Fail under Verification, NotExecuted otherwise and where no face was good enough to compare.',
    ),
  ),
  /** [Note: Ours] */
  referenceSimilarity: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer())),
    v.description(
      'How alike the person and the reference picture are, -1 to 100, on the scale of compare-face-embeddings; null where nothing was compared.',
    ),
  ),
  faceId: v.optional(text('The face in the collection of the verification, the same at each visit.')),
  correlationId: v.optional(text("The caller's own id of the visit, as it was given.")),
  totalFaceCount: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description(
      'The largest number of faces in one picture: small ones in one picture of the session, near ones in all.',
    ),
  ),
  customInputParameters: v.pipe(
    v.record(v.string(), v.string()),
    v.description("The caller's own parameters, by name; the last one where a name was repeated."),
  ),
  /** [Note: Ours] */
  assurance: v.pipe(
    v.picklist(assurances),
    v.description(
      'How much evidence there is that a living person was there; no level proves it, and docs/assurance.md says what passes each. `none`: nobody was judged; `low`; `standard`: challenge and passive check passed, the trail is complete, two cues held and none is broken; `high`: also a passkey of an earlier visit, for whose device a maker vouches whom the operator trusts. It proves a device, never a camera. Who failed has `low` at most.',
    ),
  ),
  /** [Note: Ours] */
  policyVersion: text('Which rules judged: the day on which the youngest of them came.'),
  /** [Note: Ours] */
  wouldFail: v.pipe(
    v.array(v.picklist(failedReasons)),
    v.description(
      'Further reasons that rules found which the verification only observes (`livenessPolicy`); empty where none did.',
    ),
  ),
  /** [Note: Ours] */
  findings: v.pipe(
    findings,
    v.description(
      'Earlier sessions of the account, of the last 7 days, that this one resembles, the latest ten of each kind; and what is wrong with the device of its passkey. Empty if there are none. `sameScene`: the same place and light around the person; `similarFace`: the same face under another external id, or under none; `forgerySuspected`: of one link, external id or address, both ended with a broken cue or `evidenceMissing`; `deviceRevoked`: `PASSKEY_REVOKED` names the device; `deviceUnknown`: the passkey was bound before its certificates were kept, so they cannot be compared with that list. These two name the session itself, and the passkey leads to `standard` at most. The others decide nothing: they are for people to look at. None for captures of kiosks. Neither the webhook nor the result address has it.',
    ),
  ),
  /** [Note: Ours] */
  passkeys: v.pipe(
    v.array(sessionPasskey),
    v.description('The passkey that was shown in the visit, and the one that was bound after it.'),
  ),
  /** [Note: Ours] */
  tries: v.pipe(
    v.number(),
    v.integer(),
    v.description('How often pictures of the session were judged; 0 where there were none.'),
  ),
  /** [Note: Ours] */
  review,
  /** [Note: Ours] */
  injectionHints: v.pipe(
    v.array(v.picklist(injectionHints)),
    v.description(
      'What in the report of the device hints that its pictures come from no camera: `virtualCamera` by its name, `constantPictures` that were as bright as the one before to the last digit. Whoever injects pictures can leave it out. It takes `high` to `standard` and decides nothing else.',
    ),
  ),
  /** [Note: Ours] */
  emotion: v.optional(
    v.pipe(
      v.record(v.string(), v.number()),
      v.description('Shares of each expression, 0 to 1; only where the configuration has it on.'),
    ),
  ),
  /** [Note: Ours] */
  alternativeAction: v.optional(
    v.pipe(
      action,
      v.description('The action that was asked instead of one that the person could not perform.'),
    ),
  ),
  /** [Note: Ours] */
  galleryTooLarge: v.optional(flag('The collection holds more faces than the scores are calibrated for.')),
  /** [Note: Ours] */
  capturedAt: v.optional(
    timestamp('When the capture of a kiosk was taken, by the corrected clock of the device.'),
  ),
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
        differs: flag('The kiosk had answered Pass or Fail on the spot, and the verdict is the other one.'),
      }),
      v.description('Where the session came from a kiosk.'),
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
    'Answers everything that was found, whatever `resultParameterConfig` says. 404 where the session does not exist, is older than 7 days or belongs to another account, and, with the code `session_not_completed`, before it is completed.',
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
