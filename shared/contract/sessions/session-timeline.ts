import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { referenceTypes } from '../configuration/reference-verifier.ts'
import { faceRecognitionTypes } from '../configuration/verification-config.ts'
import { everybody } from '../console/operator-roles.ts'
import { flag, nullableText, text, timestamp } from '../elements.ts'
import { actions, sessionStates } from './session.ts'
import { milestones } from './session-ending.ts'
import { evidenceOfSession } from './session-evidence.ts'

/** What came of a step of the challenge. */
export const stepOutcomes = [
  'performed',
  'notPerformed',
  'otherAction',
  'late',
  'tooEarly',
  'personChanged',
  'noFace',
] as const

/** What was measured as a number, next to its limit. */
export const measuredScores = ['living', 'sameFace', 'age', 'reference'] as const

/** What light, pixels and time tell, and what they said. */
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
                '`living`: how live the straight pictures look; `sameFace`: the likeness of two pictures, nearest to its limit; `age`: years; `reference`: the similarity to the picture that was given.',
              ),
            ),
            value: v.pipe(v.number(), v.description('What was measured.')),
            limit: v.pipe(
              v.nullable(v.number()),
              v.description('What it is compared with; null for nothing.'),
            ),
            most: v.pipe(v.number(), v.description('The end of its scale, which begins at 0.')),
          }),
        ),
        v.description('The numbers, each next to its limit.'),
      ),
      cues: v.pipe(
        v.array(
          v.object({
            name: v.pipe(v.picklist(cueNames), v.description('Which cue.')),
            answer: v.pipe(v.picklist(cueAnswers), v.description('What it says of a living person.')),
          }),
        ),
        v.description('What light, pixels and time said; empty where liveness was not looked at.'),
      ),
      pictures: v.pipe(v.number(), v.integer(), v.description('How many pictures were judged.')),
      straightPictures: v.pipe(
        v.number(),
        v.integer(),
        v.description('How many of them were good enough and straight.'),
      ),
    }),
  ),
  v.description(
    'What the verdict was made of, for people who review it; null before completion, and where nobody was judged. No number of it proves a living person.',
  ),
)

function asked<const T extends readonly string[]>(types: T, meaning: string) {
  return v.pipe(v.picklist(types), v.description(meaning))
}

const timelineStep = v.object({
  try: v.pipe(v.number(), v.integer(), v.description('Which try it was of, from 1.')),
  step: v.pipe(
    v.number(),
    v.integer(),
    v.description('Counts from 0, the first pictures, before any action.'),
  ),
  action: v.pipe(v.nullable(v.picklist(actions)), v.description('What was asked; null at step 0.')),
  askedAt: timestamp('When it was asked.'),
  answeredAt: timestamp('When its pictures came.'),
  accepted: flag('Whether they showed it.'),
  outcome: v.pipe(v.nullable(v.picklist(stepOutcomes)), v.description('What they showed; null at step 0.')),
})

const sessionTimeline = v.object({
  verificationSessionId: text('The session.'),
  state: v.pipe(v.picklist(sessionStates), v.description('How far the session is.')),
  openedAt: timestamp('When it was opened.'),
  expiresAt: timestamp('When its time is over, or was.'),
  reached: v.pipe(
    v.array(v.picklist(milestones)),
    v.description('How far the visit came, as the server saw it.'),
  ),
  reachedAt: v.pipe(
    v.object({
      consented: nullableText(
        'When the server heard of the consent: with the first pictures, or with the submission.',
      ),
      firstPicture: nullableText('When the first pictures came.'),
      submitted: nullableText('When everything was sent.'),
    }),
    v.description(
      'When, by the clock of the server; null for what was not reached, of captures of a kiosk, and of sessions that are older than these times.',
    ),
  ),
  consent: v.pipe(
    v.nullable(
      v.object({
        given: flag('Whether the person agreed.'),
        wordingVersion: text('Which wording was shown.'),
        locale: text('In which language.'),
      }),
    ),
    v.description('What the person said where they were asked; null before something was submitted.'),
  ),
  steps: v.pipe(
    v.array(timelineStep),
    v.description(
      'The steps that were answered, of every try, in their order. Times of a kiosk are by its clock.',
    ),
  ),
  triesBegunAt: v.pipe(
    v.array(timestamp('When.')),
    v.description('When the second try began, and the third; empty where there was one.'),
  ),
  asked: v.pipe(
    v.object({
      liveness: asked(['Disabled', 'Verification'], 'Of a living person.'),
      age: asked(
        ['Disabled', 'CalculationOnly', 'ThresholdVerification', 'RangeVerification'],
        'Of the age.',
      ),
      faceRecognition: asked(faceRecognitionTypes, 'Of the face.'),
      gender: asked(['Disabled', 'CalculationOnly'], 'Of the gender.'),
      reference: asked(referenceTypes, 'Of a picture that the caller gave.'),
    }),
    v.description(
      'What was asked, as the session was opened: what is only calculated can neither hold nor not.',
    ),
  ),
  tries: v.pipe(v.number(), v.integer(), v.description('How often pictures of it were judged.')),
  devicesTaken: v.pipe(v.number(), v.integer(), v.description('How often another device took it over.')),
  evidence: evidenceOfSession,
  measured,
  endedAt: nullableText('When it was completed or had expired; null before.'),
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
  summary: 'Tells what happened in a session of the last 7 days, also while it is open.',
  description:
    'What was asked, when, and what came of it: to see where a visit was left, or why an action was not taken. `evidence` says whether pictures are kept, which get-evidence returns. get-deliveries tells what was sent afterwards.',
  example: { query: { verificationSessionId: '6d1f0a52-2f0c-4a5e-9d59-0c1a3b7e8f10' } },
  textVariant: true,
})

export const sessionTimelineEndpoints = {
  getSessionTimeline,
}
