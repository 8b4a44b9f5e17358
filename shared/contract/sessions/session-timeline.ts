import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { everybody } from '../../operator-roles.ts'
import { referenceTypes } from '../configuration/reference-verifier.ts'
import { faceRecognitionTypes } from '../configuration/verification-config.ts'
import { flag, nullableText, text, timestamp } from '../elements.ts'
import { actions, sessionStates } from './session.ts'
import { milestones } from './session-ending.ts'
import { evidenceOfSession } from './session-evidence.ts'

/** The outcome of a challenge step. */
export const stepOutcomes = [
  'performed',
  'notPerformed',
  'otherAction',
  'late',
  'tooEarly',
  'personChanged',
  'noFace',
] as const

/** Numeric scores that are compared with a limit. */
export const measuredScores = ['living', 'sameFace', 'age', 'reference'] as const

/** Cues derived from lighting, pixels and timing. */
export const cueNames = ['light', 'rim', 'cuts', 'perspective'] as const
export const cueAnswers = ['held', 'broken', 'cannotTell'] as const

const measured = v.pipe(
  v.nullable(
    v.object({
      scores: v.pipe(
        v.array(
          v.object({
            name: v.pipe(
              v.picklist(measuredScores),
              v.description(
                '`living`: how live the straight pictures look; `sameFace`: the similarity of the two pictures nearest to the limit; `age`: years; `reference`: the similarity to the reference picture.',
              ),
            ),
            value: v.pipe(v.number(), v.description('The measured value.')),
            limit: v.pipe(v.nullable(v.number()), v.description('The limit it is compared with, or null.')),
            most: v.pipe(v.number(), v.description('Maximum of its scale, which begins at 0.')),
          }),
        ),
        v.description('Measured scores with their limits.'),
      ),
      cues: v.pipe(
        v.array(
          v.object({
            name: v.pipe(v.picklist(cueNames), v.description('Which cue.')),
            answer: v.pipe(v.picklist(cueAnswers), v.description('Result of the cue for a living person.')),
          }),
        ),
        v.description('Cues from light, pixels and time; empty if liveness was not checked.'),
      ),
      pictures: v.pipe(v.number(), v.integer(), v.description('Number of judged pictures.')),
      straightPictures: v.pipe(
        v.number(),
        v.integer(),
        v.description('How many of them were straight and good enough.'),
      ),
    }),
  ),
  v.description(
    'Measurements behind the verdict, for reviewers; null before completion or if no pictures were judged. None of them proves a living person.',
  ),
)

function asked<const T extends readonly string[]>(types: T, meaning: string) {
  return v.pipe(v.picklist(types), v.description(meaning))
}

const timelineStep = v.object({
  try: v.pipe(v.number(), v.integer(), v.description('The try that it belongs to, from 1.')),
  step: v.pipe(
    v.number(),
    v.integer(),
    v.description('Counted from 0, the first pictures before any action.'),
  ),
  action: v.pipe(v.nullable(v.picklist(actions)), v.description('The requested action; null at step 0.')),
  askedAt: timestamp('When it was requested.'),
  answeredAt: timestamp('When its pictures arrived.'),
  accepted: flag('True if the pictures showed the action.'),
  outcome: v.pipe(
    v.nullable(v.picklist(stepOutcomes)),
    v.description('Outcome of the step; null at step 0.'),
  ),
})

const sessionTimeline = v.object({
  verificationSessionId: text('The session.'),
  state: v.pipe(v.picklist(sessionStates), v.description('State of the session.')),
  openedAt: timestamp('When it was opened.'),
  expiresAt: timestamp('When it expires or expired.'),
  reached: v.pipe(
    v.array(v.picklist(milestones)),
    v.description('Progress of the visit, as the server saw it.'),
  ),
  reachedAt: v.pipe(
    v.object({
      consented: nullableText(
        'When the server learned about the consent: with the first pictures or with the submission.',
      ),
      firstPicture: nullableText('When the first pictures arrived.'),
      submitted: nullableText('When everything had been submitted.'),
    }),
    v.description(
      "Times by the server's clock; null for milestones that were not reached, for captures of a kiosk, and for sessions older than this feature.",
    ),
  ),
  consent: v.pipe(
    v.nullable(
      v.object({
        given: flag('True if the person agreed.'),
        wordingVersion: text('Version of the wording that was shown.'),
        locale: text('Language of the wording.'),
      }),
    ),
    v.description("The person's answer to the request for consent; null before a submission."),
  ),
  steps: v.pipe(
    v.array(timelineStep),
    v.description('The answered steps of all tries, in order. Times of a kiosk are by its clock.'),
  ),
  triesBegunAt: v.pipe(
    v.array(timestamp('When.')),
    v.description('When the second and third try began; empty if there was only one.'),
  ),
  asked: v.pipe(
    v.object({
      liveness: asked(['Disabled', 'Verification'], 'Check for a living person.'),
      age: asked(
        ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'],
        'Check of the age.',
      ),
      faceRecognition: asked(faceRecognitionTypes, 'Recognition of the face.'),
      gender: asked(['Disabled', 'CalculationOnly'], 'Estimate of the gender.'),
      reference: asked(referenceTypes, 'Comparison with a reference picture.'),
    }),
    v.description(
      'The checks, as configured when the session was opened. A value that is only calculated cannot pass or fail.',
    ),
  ),
  tries: v.pipe(v.number(), v.integer(), v.description('Number of judged tries.')),
  devicesTaken: v.pipe(
    v.number(),
    v.integer(),
    v.description('Number of times another device took it over.'),
  ),
  evidence: evidenceOfSession,
  measured,
  onReview: v.pipe(
    v.object({
      endpoints: v.pipe(
        v.number(),
        v.integer(),
        v.description('Number of endpoints that would receive `VerificationReviewed`.'),
      ),
    }),
    v.description(
      'What a review would cause now. It never changes the verdict or where the person was sent.',
    ),
  ),
  denyCollectionIds: v.pipe(
    v.array(text('A collection.')),
    v.description('Collections to which deny-face may add the face of this session.'),
  ),
  endedAt: nullableText('When it completed or expired; null before.'),
})
export type SessionTimeline = v.InferOutput<typeof sessionTimeline>

export const getSessionTimeline = endpoint({
  method: 'GET',
  path: '/v1/verification/get-session-timeline',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
  query: v.object({
    verificationSessionId: v.pipe(v.string(), v.minLength(1), v.description('The session.')),
  }),
  result: sessionTimeline,
  errors: [400, 401, 403, 404],
  summary: 'Returns the events of a session of the last 7 days, even while it is open.',
  description:
    'Shows the steps of a session with their times and outcomes, to see where a visit was abandoned or why an action was not accepted. `evidence` says whether pictures are stored; get-evidence returns them. For webhook deliveries see get-deliveries.',
  example: { query: { verificationSessionId: '6d1f0a52-2f0c-4a5e-9d59-0c1a3b7e8f10' } },
  textVariant: true,
})

export const sessionTimelineEndpoints = {
  getSessionTimeline,
}
