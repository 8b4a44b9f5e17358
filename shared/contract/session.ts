import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

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
] as const
export type FailedReason = (typeof failedReasons)[number]

/** A still picture of the camera. */
export const capturedFrame = v.object({
  /** Base64 of a JPEG; at most 1 MiB of bytes and 2 megapixels. */
  bytes: v.pipe(v.string(), v.minLength(1)),
  /** Milliseconds since the camera started. A hint: the server's clock decides. */
  time: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

/** A still picture with the step it was taken in: 0 before the first action, k during the k-th. */
export const submittedFrame = v.object({
  ...capturedFrame.entries,
  challengeStep: v.pipe(v.number(), v.integer(), v.minValue(0)),
})

export const limits = {
  framesInAll: 24,
  frameBytes: 1024 * 1024,
  framePixels: 2_000_000,
  deviceReportBytes: 64 * 1024,
  bodyBytes: 32 * 1024 * 1024,
} as const

export const theme = v.object({
  /** What the visitor is told they are checked for. */
  accountName: v.string(),
  /** `#rrggbb`, or null for the house colour. */
  accentColour: v.nullable(v.string()),
  region: v.string(),
})

export const capturePlan = v.object({
  verifiers: v.object({
    liveness: v.boolean(),
    age: v.boolean(),
    gender: v.boolean(),
    faceRecognition: v.boolean(),
    emotion: v.boolean(),
  }),
  /** Null without a challenge. The first action comes with the answer to step 0. */
  challenge: v.nullable(
    v.object({ type: v.picklist(challengeTypes), actionCount: v.pipe(v.number(), v.integer()) }),
  ),
  locale: v.nullable(v.string()),
  theme,
})
export type CapturePlan = v.InferOutput<typeof capturePlan>

const opened = {
  verificationSessionId: v.string(),
  sessionToken: v.string(),
  expirationUtcTime: v.string(),
}

export const initRedirectSession = endpoint({
  method: 'POST',
  path: '/v1/verification/init-redirect-session',
  auth: 'none',
  body: v.object({ verificationId: v.string(), queryString: v.string() }),
  result: v.object({ ...opened, capturePlan }),
  errors: [400, 401, 404, 410, 429],
  summary: 'Opens the session of a signed link, and consumes its nonce.',
})

export const getSession = endpoint({
  method: 'GET',
  path: '/v1/verification/get-session',
  auth: 'session',
  result: v.object({
    state: v.picklist(sessionStates),
    capturePlan,
    expirationUtcTime: v.string(),
    /** The step whose frames are awaited, so that a reload goes on. `action` is null at step 0. [Note: Ours] */
    current: v.nullable(
      v.object({
        step: v.pipe(v.number(), v.integer()),
        action: v.nullable(action),
        timeLimitInSeconds: v.nullable(v.number()),
      }),
    ),
    /** Where to go, once completed. [Note: Ours] */
    redirectUrl: v.nullable(v.string()),
  }),
  errors: [401, 404],
  summary: 'Tells the state of the session and what to capture.',
})

export const nextStep = v.object({
  step: v.pipe(v.number(), v.integer(), v.minValue(1)),
  action,
  timeLimitInSeconds: v.number(),
})
export type NextStep = v.InferOutput<typeof nextStep>

export const submitStep = endpoint({
  method: 'POST',
  path: '/v1/verification/submit-step',
  auth: 'session',
  body: v.object({
    /** 0 before the first action, k for the k-th, counted over repeats too. */
    step: v.pipe(v.number(), v.integer(), v.minValue(0)),
    frames: v.array(capturedFrame),
    /**
     * Instead of frames: `moreTime` starts the step's clock anew with the same action; `otherAction` asks for another
     * one (honoured only where the configuration allows alternatives, else the same is asked again). [Note: Ours]
     */
    request: v.optional(v.picklist(['moreTime', 'otherAction'])),
  }),
  result: v.object({
    /** The next action, or null when no action is left. */
    next: v.nullable(nextStep),
    /** False when the step was not performed; `next` then names the action of its one repeat, if one is left. */
    accepted: v.boolean(),
  }),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Hands in the frames of one step and learns the next action.',
  bodyLimitInBytes: limits.bodyBytes,
})

export const submitSession = endpoint({
  method: 'POST',
  path: '/v1/verification/submit-session',
  auth: 'session',
  body: v.object({
    frames: v.array(submittedFrame),
    /** Stored as a hint and never read by the verdict. */
    deviceReport: v.optional(v.record(v.string(), v.unknown())),
    consent: v.object({
      given: v.boolean(),
      wordingVersion: v.pipe(v.string(), v.maxLength(100)),
      locale: v.pipe(v.string(), v.maxLength(35)),
    }),
    problem: v.optional(v.picklist(['cameraUnavailable'])),
  }),
  result: v.object({
    verificationResult: v.picklist(verificationResults),
    /** Null where the configuration names no address for this result. */
    redirectUrl: v.nullable(v.string()),
  }),
  errors: [400, 401, 404, 410, 413],
  summary: 'Closes the session and answers its result. Repeating it answers the same.',
  bodyLimitInBytes: limits.bodyBytes,
})
