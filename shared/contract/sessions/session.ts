import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { flag, jsonObject, jsonRecord, nullableText, text, timestamp, tinyJpeg } from '../elements.ts'
import { theme } from './theme.ts'
import { evidence, trail } from './trail.ts'

/** The actions that a challenge may ask for. Left and right are the person's own. */
export const actions = ['turnLeft', 'turnRight', 'lookUp', 'blink', 'smile', 'comeCloser'] as const
export const action = v.picklist(actions)
export type Action = (typeof actions)[number]

export const challengeTypes = ['Balanced', 'Advanced'] as const

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
] as const
export type FailedReason = (typeof failedReasons)[number]

/** What a test ends with. [Note: Ours] */
export const testResults = ['passed', ...failedReasons] as const

/** What a page may ask for instead of sending the pictures of a step. [Note: Ours] */
export const stepRequests = ['moreTime', 'otherAction', 'startOver'] as const

/** Why a page has nothing to show. [Note: Ours] */
export const visitProblems = ['cameraUnavailable', 'alternativeChosen'] as const

const testResult = v.pipe(v.picklist(testResults), v.description('`passed`, or why it fails.'))

const testFigures = {
  age: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(150), v.description('The estimated age that is told.')),
  ),
  faceId: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(512), v.description('The face that is told.')),
  ),
  referenceSimilarity: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(-1),
      v.maxValue(100),
      v.description('The similarity to the reference picture that is told, where there is one.'),
    ),
  ),
}

/** What a session of a test account is asked to end with. [Note: Ours] */
export const testOutcome = v.pipe(
  jsonObject({ result: testResult, ...testFigures }),
  v.description('What a test ends with: pictures do not decide it. Refused with a live key.'),
)
export type TestOutcome = v.InferOutput<typeof testOutcome>

/** How many tries there can be: one, and as many more as a configuration may allow. [Note: Ours] */
export const mostTries = 3

/** The same of a session that is made: one outcome, or one for each of its tries. [Note: Ours] */
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
          'What each try ends with, where `retryConfig.attempts` lets another one follow. The last one is final.',
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
    'What a test ends with, or each of its tries: pictures do not decide it. Refused with a live key.',
  ),
)
export type TestOutcomes = v.InferOutput<typeof testOutcomes>

/** How sure a session can be that a living person was there; the least first. [Note: Ours] */
export const assurances = ['none', 'low', 'standard', 'high'] as const
export type Assurance = (typeof assurances)[number]
export const leastAssurances = ['low', 'standard', 'high'] as const satisfies readonly Assurance[]

/** What may tell that pictures come from no camera. [Note: Ours] */
export const injectionHints = ['virtualCamera', 'constantPictures'] as const
export type InjectionHint = (typeof injectionHints)[number]

/** What rules do that came after a verification was made. [Note: Ours] */
export const livenessPolicies = ['observe', 'enforce'] as const
export type LivenessPolicy = (typeof livenessPolicies)[number]

/** Whether evidence may be left out that our page always sends. [Note: Ours] */
export const livenessEvidenceRules = ['required', 'optional'] as const
export type LivenessEvidenceRule = (typeof livenessEvidenceRules)[number]

/** Of whom pictures are kept for a review. [Note: Ours] */
export const evidenceUses = ['review', 'all'] as const

const challengeStep = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.description('0 before the first action, k during the k-th.'),
)

/** A still picture of the camera. */
export const capturedFrame = jsonObject({
  bytes: v.pipe(
    v.string(),
    v.minLength(1),
    v.description('Base64 of a JPEG; at most 1 MiB of bytes and 2 megapixels.'),
  ),
  /** [Note: Ours] */
  challengeStep: v.optional(v.pipe(challengeStep, v.description('If it is there, it equals `step`.'))),
  time: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description(
      "Milliseconds since the camera started. A hint: the server's clock decides. Within one step it cannot go back.",
    ),
  ),
})

/** A still picture with the step it was taken in: 0 before the first action, k during the k-th. */
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
  actionCount: v.pipe(v.number(), v.integer(), v.description('How many actions will be asked for.')),
})

export const capturePlan = v.pipe(
  v.object({
    verifiers: v.pipe(
      v.object({
        liveness: flag('Liveness is checked.'),
        age: flag('The age is estimated.'),
        gender: flag('The gender is estimated.'),
        faceRecognition: flag('The face is recognised.'),
        emotion: flag('The expression is read.'),
        /** [Note: Ours] */
        reference: v.optional(
          flag('True where the face is compared with a picture that the caller gave. Absent otherwise.'),
        ),
      }),
      v.description('What is going to be examined.'),
    ),
    challenge: v.pipe(
      v.nullable(challenge),
      v.description('Null without a challenge. The first action comes with the answer to step 0.'),
    ),
    evidence,
    locale: nullableText('The language that the link asks for, or null.'),
    /** [Note: Ours] */
    alternative: v.optional(
      v.pipe(
        v.object({
          url: text('Where another way begins. The page opens it once the session has ended.'),
          text: nullableText('What the page says of it, or null for its own words.'),
        }),
        v.description('Another way than this check, for `problem: alternativeChosen`; absent without one.'),
      ),
    ),
    /** [Note: Ours] */
    privacy: v.optional(
      v.pipe(
        v.object({
          privacyUrl: nullableText('What is done with the data.'),
          termsUrl: nullableText('The terms.'),
          controller: nullableText('Who answers for it.'),
          purpose: nullableText('What it is for.'),
          purposes: v.optional(
            v.pipe(
              v.record(v.string(), v.string()),
              v.description('The same by languages of the page; absent where there is one text for all.'),
            ),
          ),
        }),
        v.description('What is linked and told where consent is asked; absent for nothing.'),
      ),
    ),
    /** [Note: Ours] */
    history: v.optional(
      v.pipe(
        v.object({
          days: v.pipe(v.number(), v.integer(), v.description('How many, from the creation of the session.')),
        }),
        v.description(
          'For how long the session stays in lists, without its result, where that is longer than the result is kept; told where consent is asked.',
        ),
      ),
    ),
    /** [Note: Ours] */
    keeps: v.optional(
      v.pipe(
        v.object({
          pictures: v.pipe(
            v.picklist(evidenceUses),
            v.description('`review`: of those that somebody has to look at; `all`: of everybody.'),
          ),
          hours: v.pipe(v.number(), v.integer(), v.description('For how many hours at most.')),
        }),
        v.description(
          'That some pictures and the film are kept for who reviews the session; told where consent is asked. Absent where none are kept.',
        ),
      ),
    ),
    /** [Note: Ours] */
    passkey: v.optional(
      flag(
        'True where the person bound a passkey at an earlier visit, and is asked for it before the pictures are submitted; the visit goes on without. Absent otherwise.',
      ),
    ),
    /** [Note: Ours] */
    test: v.optional(
      v.pipe(
        v.object({
          outcome: v.pipe(
            v.nullable(v.picklist(testResults)),
            v.description('What it ends with; null where the page asks.'),
          ),
        }),
        v.description('Of a session of a test account, which says so on the page; absent in a live one.'),
      ),
    ),
    theme,
    /** [Note: Ours] */
    embedOrigins: v.pipe(
      v.array(v.string()),
      v.description(
        'Origins that may embed the page. Embedded by one of them, it posts the address where it leads, and stays.',
      ),
    ),
  }),
  v.description('What a page has to capture.'),
)
export type CapturePlan = v.InferOutput<typeof capturePlan>

/** What every new session is answered with. */
export const opened = {
  verificationSessionId: text('The new session.'),
  sessionToken: text('The bearer that reads the plan of this one session and submits to it.'),
  expirationUtcTime: timestamp('When the session expires unless it is submitted.'),
  capturePlan,
}

/** What whoever may try again gets, whatever the reason. [Note: Ours] */
const retry = v.object({
  attemptsLeft: v.pipe(
    v.number(),
    v.integer(),
    v.description('How many further tries there are, this next one included.'),
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
    verificationId: text('The verification of the path of the link.'),
    queryString: text('The query string of the link, as it came.'),
    /** [Note: Ours] */
    openingId: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[\w-]{22,64}$/, 'Must be 22 to 64 letters, digits, - and _.'),
        v.description(
          'A secret of at least 128 random bits that the page made up. A page whose answer was lost asks again with the same one, and is answered with the same session as long as nothing was submitted to it.',
        ),
      ),
    ),
    /** [Note: Ours] */
    resumeSecret: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[\w-]{43}$/, 'Must be 43 characters of base64url: 256 bits.'),
        v.description(
          'A secret of 256 random bits that the page made up and keeps where the browser keeps things beyond a tab. A link with a nonce opens again with the same one until its session is completed, cancelled or expired, also once the link has expired: the session goes on, and the page that had it before is out. Ignored for a link without a nonce.',
        ),
      ),
    ),
  }),
  result: v.object(opened),
  errors: [400, 401, 404, 410, 429],
  summary: 'Opens the session of a signed link, and consumes its nonce.',
  description:
    'The signature of the link stands for a credential. Checks signature, `resumeSecret`, expiration and nonce in this order. A link that is unsigned or wrong is a 401, one that is expired or used a 410.',
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
      'With `comeCloser`, where the page accepts sizes: how wide the face is to be in the last frame of the step, in times of its width in the frames of step 0, or of 0.42 of the shorter side of the picture where it was wider. Within a tenth. Another size may follow as a step of its own, told when this one was reached; together they are one action. Absent where any growth by a quarter does.',
    ),
  ),
)

const currentStep = v.object({
  step: v.pipe(v.number(), v.integer(), v.description('The step.')),
  action: v.pipe(v.nullable(action), v.description('What is asked for; null at step 0.')),
  size,
  timeLimitInSeconds: v.pipe(v.nullable(v.number()), v.description('The time for it; null at step 0.')),
})

const count = (of: string) => v.pipe(v.number(), v.integer(), v.description(of))

const actionsDone = count('How many actions were performed so far.')

const soFar = v.object({
  actionsDone,
  frames: count('How many frames; they count towards the limit.'),
  trail: count('How many pictures of the trail, likewise.'),
})

const handoff = v.object({
  isHeldHere: flag('The holder of this token may submit; false: another device may.'),
  number: nullableText('Two digits that both devices show, while taken over.'),
  actionsDone,
})

export const getSession = endpoint({
  method: 'GET',
  path: '/v1/verification/get-session',
  auth: 'session',
  result: v.object({
    state: v.pipe(v.picklist(sessionStates), v.description('How far the session is.')),
    capturePlan,
    expirationUtcTime: timestamp('When the session expires unless it is submitted.'),
    /** [Note: Ours] */
    current: v.pipe(
      v.nullable(currentStep),
      v.description('The step whose frames are awaited, so that a reload goes on; null when none is.'),
    ),
    /** [Note: Ours] */
    soFar: v.optional(
      v.pipe(
        soFar,
        v.description('What the server has of this try; absent where another device holds the session.'),
      ),
    ),
    /** [Note: Ours] */
    try: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.description('Which try is awaited, from the second on; absent before.'),
      ),
    ),
    /** [Note: Ours] */
    retry: v.optional(
      v.pipe(
        retry,
        v.description('What the last try was answered with; absent where none was, or nothing follows.'),
      ),
    ),
    /** [Note: Ours] */
    redirectUrl: nullableText(
      'Where to go, once completed; else null. Only the device that opened the session goes.',
    ),
    /** [Note: Ours] */
    verificationResult: v.pipe(
      v.nullable(v.picklist(verificationResults)),
      v.description('The verdict, once completed; else null.'),
    ),
    /** [Note: Ours] */
    handoff: v.pipe(v.nullable(handoff), v.description('Null as long as no other device took it over.')),
  }),
  errors: [401, 404],
  summary: 'Tells the state of the session and what to capture.',
  example: {},
  textVariant: true,
})

export const nextStep = v.object({
  step: v.pipe(v.number(), v.integer(), v.minValue(1), v.description('The number of the step, from 1.')),
  action: v.pipe(action, v.description("What to do; left and right are the person's own.")),
  size,
  timeLimitInSeconds: v.pipe(v.number(), v.description('The time for it; the clock runs already.')),
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
      v.description('0 before the first action, k for the k-th, counted over repeats too.'),
    ),
    frames: v.pipe(v.array(capturedFrame), v.description('The pictures of the step.')),
    trail,
    /** [Note: Ours] */
    acceptsSizes: v.optional(
      flag(
        'True where the page shows sizes: an action `comeCloser` that is drawn in answer is then asked as a sequence of sizes. False when absent.',
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
    next: v.pipe(v.nullable(nextStep), v.description('The next action, or null when no action is left.')),
    accepted: flag(
      'False when the step was not performed; `next` then names the action of its one repeat, if one is left.',
    ),
  }),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Hands in the frames of one step and learns the next action.',
  description: 'Actions are revealed one at a time. Repeating a step answers the same.',
  example: { body: { step: 0, frames: [{ bytes: tinyJpeg, time: 1200 }] } },
  bodyLimitInBytes: limits.bodyBytes,
  takesMultipart: true,
  textVariant: true,
})

export const consent = v.pipe(
  jsonObject({
    given: flag('The person agreed.'),
    wordingVersion: v.pipe(
      v.string(),
      v.maxLength(100),
      v.description('Which words the person agreed to; the page sends a hash of them.'),
    ),
    locale: v.pipe(v.string(), v.maxLength(35), v.description('The language of those words.')),
  }),
  v.description('What the person was asked, and said.'),
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
        `The pictures, ${limits.framesInAll} of them in all; those of submit-step need not be sent again. Empty only without consent or with a problem, unless there are some already.`,
      ),
    ),
    trail,
    deviceReport: v.optional(
      v.pipe(
        jsonRecord(v.unknown()),
        v.description('What the device found, at most 64 kB. A hint: nobody passes by it.'),
      ),
    ),
    consent,
    problem: v.optional(
      v.pipe(
        v.picklist(visitProblems),
        v.description(
          'Why there is nothing to see. `alternativeChosen` where the person takes the other way that the configuration names; else a 400.',
        ),
      ),
    ),
    /** [Note: Ours] */
    acceptsRetry: v.optional(flag('Whether the page can offer another try; false when absent.')),
    /** [Note: Ours] */
    try: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(mostTries),
        v.description('Which try this is; 1 when absent. The same number is answered the same.'),
      ),
    ),
    /** [Note: Ours] */
    leave: v.optional(
      flag('Closes the session with the last verdict, instead of another try; frames may be empty.'),
    ),
    /** [Note: Ours] */
    testOutcome: v.optional(testOutcome),
  }),
  result: v.object({
    verificationResult: v.pipe(
      v.nullable(v.picklist(verificationResults)),
      v.description('The verdict; null where another try may follow.'),
    ),
    /** [Note: Ours] */
    retry: v.optional(
      v.pipe(retry, v.description('Where another try may follow, whatever the reason. Absent otherwise.')),
    ),
    redirectUrl: nullableText(
      'Where to go; null where the configuration names no address for this result, and on a device that took the session over.',
    ),
    /** [Note: Ours] */
    offersPasskey: v.optional(
      flag('True where the person may bind a passkey now, once: create-passkey-options. Absent otherwise.'),
    ),
  }),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Closes the session and answers its result. Repeating it answers the same.',
  description:
    'With `acceptsRetry`, a session that would fail is not closed while tries are left: it is Started again, with a new challenge, and the answer does not say what was wrong. `leave` closes it; before any try was judged it is a 400. A `try` that is not the next one is a 409. What the device reports can never turn a Fail into a Pass: the server looks at the pictures itself.',
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
