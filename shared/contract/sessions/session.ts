import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { challengeTypes, evidenceUses, mostTries } from '../configuration/check-settings.ts'
import { flag, jsonObject, jsonRecord, nullableText, text, timestamp, tinyJpeg } from '../elements.ts'
import { theme } from './theme.ts'
import { evidence, trail } from './trail.ts'

/** The actions in a challenge. Left and right are from the person's point of view. */
export const actions = ['turnLeft', 'turnRight', 'lookUp', 'blink', 'smile', 'comeCloser'] as const
export const action = v.picklist(actions)
export type Action = (typeof actions)[number]

export const sessionStates = ['Created', 'Started', 'Submitted', 'Completed', 'Expired'] as const
export const verificationResults = ['Pass', 'Fail'] as const
export const verifierResults = ['Pass', 'Fail', 'NotExecuted'] as const
export type VerifierResult = (typeof verifierResults)[number]

export const failedReasons = [
  'noFace',
  'multipleFaces',
  'livenessFailed',
  'challengeFailed',
  'personChanged',
  'lowQuality',
  'ageNotMet',
  'ageUncertain',
  'duplicateFace',
  'faceMismatch',
  'externalIdMissing',
  'externalIdUnknown',
  'consentDeclined',
  'cameraUnavailable',
  'sessionExpired',
  'assuranceTooLow',
  'alternativeChosen',
  'evidenceMissing',
  'referenceMismatch',
  'denied',
] as const
export type FailedReason = (typeof failedReasons)[number]

/** The result of a test. [Note: Ours] */
export const testResults = ['passed', ...failedReasons] as const

/** Requests that a page may send instead of a step's pictures. [Note: Ours] */
export const stepRequests = ['moreTime', 'otherAction', 'startOver'] as const

/** Why a page has no pictures to submit. [Note: Ours] */
export const visitProblems = ['cameraUnavailable', 'alternativeChosen'] as const

const testResult = v.pipe(v.picklist(testResults), v.description('`passed`, or the reason for the failure.'))

const testFigures = {
  age: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(150), v.description('The estimated age to return.')),
  ),
  faceId: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(512), v.description('The face id to return.')),
  ),
  referenceSimilarity: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(-1),
      v.maxValue(100),
      v.description('The similarity to the reference picture to return, if there is one.'),
    ),
  ),
}

/** The outcome requested for a test account's session. [Note: Ours] */
export const testOutcome = v.pipe(
  jsonObject({ result: testResult, ...testFigures }),
  v.description('Outcome of the test, regardless of the pictures. Rejected with a live key.'),
)
export type TestOutcome = v.InferOutput<typeof testOutcome>

/** The outcomes given when creating a session: one for all tries, or one per try. [Note: Ours] */
export const testOutcomes = v.pipe(
  jsonObject({
    result: v.optional(testResult),
    ...testFigures,
    tries: v.optional(
      v.pipe(
        v.array(testOutcome),
        v.minLength(1),
        v.maxLength(mostTries),
        v.description(
          'Outcome of each try, if `retryConfig.attempts` allows more than one. The last one is final.',
        ),
      ),
    ),
  }),
  v.check(
    ({ result, tries }) => (result === undefined) !== (tries === undefined),
    'Must have either result or tries.',
  ),
  v.check(
    ({ tries, age, faceId, referenceSimilarity }) =>
      tries === undefined || (age ?? faceId ?? referenceSimilarity) === undefined,
    'Must have no other members next to tries.',
  ),
  v.description(
    'Outcome of the test or of each of its tries, regardless of the pictures. Rejected with a live key.',
  ),
)
export type TestOutcomes = v.InferOutput<typeof testOutcomes>

/** Signs that pictures do not come from a camera. [Note: Ours] */
export const injectionHints = ['virtualCamera', 'constantPictures'] as const
export type InjectionHint = (typeof injectionHints)[number]

const challengeStep = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.description('0 before the first action, k during the k-th.'),
)

/** A still picture from the camera. */
export const capturedFrame = jsonObject({
  bytes: v.pipe(
    v.string(),
    v.minLength(1),
    v.description('Base64 of a JPEG; at most 1 MiB of bytes and 2 megapixels.'),
  ),
  /** [Note: Ours] */
  challengeStep: v.optional(v.pipe(challengeStep, v.description('If present, equals `step`.'))),
  time: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description(
      "Milliseconds since the camera started. A hint: the server's clock decides. Must not decrease within a step.",
    ),
  ),
})

/** A still picture and the step in which it was taken: 0 before the first action, k during the k-th. */
export const submittedFrame = jsonObject({
  ...capturedFrame.entries,
  challengeStep,
})

export const limits = {
  framesInAll: 24,
  frameBytes: 1024 * 1024,
  framePixels: 2_000_000,
  deviceReportBytes: 64 * 1024,
  bodyBytes: 32 * 1024 * 1024,
} as const

const challenge = v.object({
  type: v.pipe(v.picklist(challengeTypes), v.description('Balanced: one action. Advanced: three.')),
  actionCount: v.pipe(v.number(), v.integer(), v.description('Number of actions that will be requested.')),
})

export const capturePlan = v.pipe(
  v.object({
    verifiers: v.pipe(
      v.object({
        liveness: flag('True if liveness is checked.'),
        age: flag('True if the age is estimated.'),
        gender: flag('True if the gender is estimated.'),
        faceRecognition: flag('True if the face is recognised.'),
        emotion: flag('True if the expression is read.'),
        /** [Note: Ours] */
        reference: v.optional(
          flag('True if the face is compared with a reference picture. Otherwise absent.'),
        ),
      }),
      v.description('The checks of the session.'),
    ),
    challenge: v.pipe(
      v.nullable(challenge),
      v.description('Null without a challenge. The answer to step 0 contains the first action.'),
    ),
    evidence,
    locale: nullableText('The language requested by the link, or null.'),
    /** [Note: Ours] */
    alternative: v.optional(
      v.pipe(
        v.object({
          url: text('Address of the alternative. The page opens it after the session has ended.'),
          text: nullableText("Text of the link, or null for the page's default."),
        }),
        v.description(
          'Alternative to this check, for `problem: alternativeChosen`. Absent if there is none.',
        ),
      ),
    ),
    /** [Note: Ours] */
    privacy: v.optional(
      v.pipe(
        v.object({
          privacyUrl: nullableText('Address of the privacy policy.'),
          termsUrl: nullableText('The terms.'),
          controller: nullableText('The data controller.'),
          purpose: nullableText('Purpose of the check.'),
          purposes: v.optional(
            v.pipe(
              v.record(v.string(), v.string()),
              v.description('Purpose by language of the page; absent if there is one text for all.'),
            ),
          ),
        }),
        v.description('Links and texts shown with the request for consent. Absent if there are none.'),
      ),
    ),
    /** [Note: Ours] */
    history: v.optional(
      v.pipe(
        v.object({
          days: v.pipe(v.number(), v.integer(), v.description('Days after the creation of the session.')),
        }),
        v.description(
          'How long the session stays in lists without its result, if that is longer than the result is kept. Shown with the request for consent.',
        ),
      ),
    ),
    /** [Note: Ours] */
    keeps: v.optional(
      v.pipe(
        v.object({
          pictures: v.pipe(
            v.picklist(evidenceUses),
            v.description('`review`: pictures of sessions that need a review; `all`: of every session.'),
          ),
          hours: v.pipe(v.number(), v.integer(), v.description('Maximum number of hours.')),
        }),
        v.description(
          'Pictures and film stored for reviewers; shown with the request for consent. Absent if none are stored.',
        ),
      ),
    ),
    /** [Note: Ours] */
    passkey: v.optional(
      flag(
        'True if the person bound a passkey at an earlier visit. The page asks for it before the pictures are submitted; the visit can continue without. Otherwise absent.',
      ),
    ),
    /** [Note: Ours] */
    test: v.optional(
      v.pipe(
        v.object({
          outcome: v.pipe(
            v.nullable(v.picklist(testResults)),
            v.description('Outcome of the test; null if the page asks for it.'),
          ),
        }),
        v.description('Present in sessions of a test account; the page shows that it is a test.'),
      ),
    ),
    theme,
    /** [Note: Ours] */
    embedOrigins: v.pipe(
      v.array(v.string()),
      v.description(
        'Origins that may embed the page. The embedded page posts the destination to its parent instead of navigating to it.',
      ),
    ),
  }),
  v.description('Instructions for the capture page.'),
)
export type CapturePlan = v.InferOutput<typeof capturePlan>

/** The response to every call that opens a session. */
export const opened = {
  verificationSessionId: text('The id of the new session.'),
  sessionToken: text('The bearer that reads the plan of this session and submits to it.'),
  expirationUtcTime: timestamp('When the session expires unless it is submitted.'),
  capturePlan,
}

/** The details of another try, which do not depend on the reason. [Note: Ours] */
const retry = v.object({
  attemptsLeft: v.pipe(
    v.number(),
    v.integer(),
    v.description('Number of remaining tries, including the next one.'),
  ),
})

export const initRedirectSession = endpoint({
  method: 'POST',
  path: '/v1/verification/init-redirect-session',
  auth: 'none',
  inClient: true,
  rate: 'inits',
  leaves: 'session',
  audit: 'recorded',
  body: jsonObject({
    verificationId: text('The verification in the path of the link.'),
    queryString: text('The query string of the link, unchanged.'),
    /** [Note: Ours] */
    openingId: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[\w-]{22,64}$/, 'Must be 22 to 64 letters, digits, - and _.'),
        v.description(
          'A secret of at least 128 random bits, generated by the page. If an answer is lost, the page repeats the call with the same secret and gets the same session, as long as nothing was submitted to it.',
        ),
      ),
    ),
    /** [Note: Ours] */
    resumeSecret: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[\w-]{43}$/, 'Must be 43 characters of base64url: 256 bits.'),
        v.description(
          'A secret of 256 random bits, generated by the page and stored beyond the browser tab. A link with a nonce can be opened again with the same secret until its session is completed, cancelled or expired, even after the link has expired: the session continues, and the page that had it before loses access. Ignored for a link without a nonce.',
        ),
      ),
    ),
  }),
  result: v.object(opened),
  errors: [400, 401, 404, 410, 429],
  summary: 'Opens the session of a signed link, and consumes its nonce.',
  description:
    'The signature of the link serves as the credential. Checks signature, `resumeSecret`, expiration and nonce in this order. An unsigned or invalid link is a 401; an expired or used one is a 410.',
  example: {
    body: {
      verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01',
      queryString:
        'reVerificationId=0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01&order=7&reExpiration=1767225600&reSignature=0c1a',
    },
  },
  textVariant: true,
})

/** [Note: Ours] */
const size = v.optional(
  v.pipe(
    v.number(),
    v.description(
      'With `comeCloser`, if the page accepts sizes: the width that the face must have in the last frame of the step, relative to its width in the frames of step 0, or to 0.42 of the shorter side of the picture if it was wider. Tolerance: a tenth. Another size may follow as a separate step, revealed when this one is reached; together they are one action. Absent if any growth by a quarter counts.',
    ),
  ),
)

const currentStep = v.object({
  step: v.pipe(v.number(), v.integer(), v.description('The step.')),
  action: v.pipe(v.nullable(action), v.description('The requested action; null at step 0.')),
  size,
  timeLimitInSeconds: v.pipe(v.nullable(v.number()), v.description('Time limit; null at step 0.')),
})

const count = (of: string) => v.pipe(v.number(), v.integer(), v.description(of))

const actionsDone = count('Number of actions performed so far.')

const soFar = v.object({
  actionsDone,
  frames: count('Number of frames; they count towards the limit.'),
  trail: count('Number of pictures in the trail; they count towards its limit.'),
})

const handoff = v.object({
  isHeldHere: flag('True if the holder of this token may submit, false if another device may.'),
  number: nullableText('Two digits that both devices show during a hand-over.'),
  actionsDone,
})

export const getSession = endpoint({
  method: 'GET',
  path: '/v1/verification/get-session',
  auth: 'session',
  result: v.object({
    state: v.pipe(v.picklist(sessionStates), v.description('State of the session.')),
    capturePlan,
    expirationUtcTime: timestamp('When the session expires unless it is submitted.'),
    /** [Note: Ours] */
    current: v.pipe(
      v.nullable(currentStep),
      v.description(
        'The step whose frames are expected, so that the page can continue after a reload; null if there is none.',
      ),
    ),
    /** [Note: Ours] */
    soFar: v.optional(
      v.pipe(
        soFar,
        v.description('Submissions of this try so far; absent if another device holds the session.'),
      ),
    ),
    /** [Note: Ours] */
    try: v.optional(
      v.pipe(v.number(), v.integer(), v.description('The expected try, from the second on; absent before.')),
    ),
    /** [Note: Ours] */
    retry: v.optional(
      v.pipe(
        retry,
        v.description(
          'The retry that the last try was answered with; absent if there was none or no try follows.',
        ),
      ),
    ),
    /** [Note: Ours] */
    redirectUrl: nullableText(
      'Destination after completion; otherwise null. Only the device that opened the session navigates to it.',
    ),
    /** [Note: Ours] */
    verificationResult: v.pipe(
      v.nullable(v.picklist(verificationResults)),
      v.description('The verdict, once completed; else null.'),
    ),
    /** [Note: Ours] */
    handoff: v.pipe(v.nullable(handoff), v.description('Null if no other device took the session over.')),
  }),
  errors: [401, 404],
  summary: 'Returns the state of the session and what to capture.',
  example: {},
  textVariant: true,
})

export const nextStep = v.object({
  step: v.pipe(v.number(), v.integer(), v.minValue(1), v.description('The number of the step, from 1.')),
  action: v.pipe(action, v.description("The requested action; left and right are the person's own.")),
  size,
  timeLimitInSeconds: v.pipe(v.number(), v.description('Time limit; already running.')),
})
export type NextStep = v.InferOutput<typeof nextStep>

export const submitStep = endpoint({
  method: 'POST',
  path: '/v1/verification/submit-step',
  auth: 'session',
  audit: 'unrecorded',
  body: jsonObject({
    step: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('0 before the first action, k for the k-th, counting repeats.'),
    ),
    frames: v.pipe(v.array(capturedFrame), v.description('The pictures of the step.')),
    trail,
    /** [Note: Ours] */
    acceptsSizes: v.optional(
      flag(
        'True if the page can show sizes. A `comeCloser` drawn in the answer is then requested as a sequence of sizes. False by default.',
      ),
    ),
    /** [Note: Ours] */
    request: v.optional(
      v.pipe(
        v.picklist(stepRequests),
        v.description(
          'Instead of frames: `moreTime` starts the clock anew with the same action; `otherAction` asks for another one (where the configuration allows alternatives, else the same is asked again); `startOver`, in any step, is for a page that was reloaded: what it handed in for the step with submit-pictures is dropped, and the time of an action begins again.',
        ),
      ),
    ),
  }),
  result: v.object({
    next: v.pipe(v.nullable(nextStep), v.description('The next action, or null if there is none.')),
    accepted: flag(
      'False if the step was not performed; `next` then has the action of its one repeat, if one is left.',
    ),
  }),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Submits the frames of one step and returns the next action.',
  description: 'Actions are revealed one at a time. Repeating a step returns the same answer.',
  example: { body: { step: 0, frames: [{ bytes: tinyJpeg, time: 1200 }] } },
  bodyLimitInBytes: limits.bodyBytes,
  takesMultipart: true,
  textVariant: true,
})

export const consent = v.pipe(
  jsonObject({
    given: flag('True if the person agreed.'),
    wordingVersion: v.pipe(
      v.string(),
      v.maxLength(100),
      v.description('Version of the text that the person agreed to; the page sends a hash of the text.'),
    ),
    locale: v.pipe(v.string(), v.maxLength(35), v.description('The language of that text.')),
  }),
  v.description("The request for consent and the person's answer."),
)

export const submitSession = endpoint({
  method: 'POST',
  path: '/v1/verification/submit-session',
  auth: 'session',
  audit: 'unrecorded',
  body: jsonObject({
    frames: v.pipe(
      v.array(submittedFrame),
      v.description(
        `The pictures, ${limits.framesInAll} of them in all; those of submit-step need not be sent again. Empty only without consent, with a problem, or if earlier steps already sent some.`,
      ),
    ),
    trail,
    deviceReport: v.optional(
      v.pipe(
        jsonRecord(v.unknown()),
        v.description('Findings of the device, at most 64 kB. A hint that cannot make a session pass.'),
      ),
    ),
    consent,
    problem: v.optional(
      v.pipe(
        v.picklist(visitProblems),
        v.description(
          'Why there are no pictures. `alternativeChosen` requires an alternative in the configuration; otherwise it is a 400.',
        ),
      ),
    ),
    /** [Note: Ours] */
    acceptsRetry: v.optional(flag('True if the page can offer another try; false by default.')),
    /** [Note: Ours] */
    try: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(mostTries),
        v.description('Number of the try; 1 by default. Repeating a number returns the same answer.'),
      ),
    ),
    /** [Note: Ours] */
    leave: v.optional(
      flag('Closes the session with the last verdict instead of another try; frames may be empty.'),
    ),
    /** [Note: Ours] */
    testOutcome: v.optional(testOutcome),
  }),
  result: v.object({
    verificationResult: v.pipe(
      v.nullable(v.picklist(verificationResults)),
      v.description('The verdict; null if another try may follow.'),
    ),
    /** [Note: Ours] */
    retry: v.optional(
      v.pipe(retry, v.description('Present if another try may follow, whatever the reason.')),
    ),
    redirectUrl: nullableText(
      'Destination; null if the configuration has no address for this result, and on a device that took the session over.',
    ),
    /** [Note: Ours] */
    offersPasskey: v.optional(
      flag('True if the person may now bind a passkey, once: create-passkey-options. Otherwise absent.'),
    ),
  }),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Closes the session and returns its result. Repeating it returns the same answer.',
  description:
    'With `acceptsRetry`, a session that would fail stays open while tries are left: it is Started again with a new challenge, and the answer does not reveal the reason. `leave` closes it; before any try was judged it is a 400. A `try` other than the next one is a 409. Data reported by the device never turns a Fail into a Pass: the server judges the pictures itself.',
  example: {
    body: {
      frames: [{ bytes: tinyJpeg, time: 1200, challengeStep: 0 }],
      consent: { given: true, wordingVersion: '1', locale: 'en' },
    },
  },
  bodyLimitInBytes: limits.bodyBytes,
  takesMultipart: true,
  textVariant: true,
})

export const sessionEndpoints = {
  initRedirectSession,
  getSession,
  submitStep,
  submitSession,
}
