import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { action, failedReasons, verificationResults, verifierResults } from './session.ts'

/** Everything that a completed session found, whatever `resultParameterConfig` says. */
export const sessionResult = v.object({
  verificationSessionId: v.string(),
  verificationResult: v.picklist(verificationResults),
  verificationFailedReasons: v.array(v.picklist(failedReasons)),
  livenessVerificationResult: v.picklist(verifierResults),
  ageVerificationResult: v.picklist(verifierResults),
  estimatedAge: v.optional(v.number()),
  genderVerificationResult: v.picklist(verifierResults),
  estimatedGender: v.optional(v.picklist(['Male', 'Female'])),
  faceRecognitionResult: v.picklist(verifierResults),
  faceId: v.optional(v.string()),
  correlationId: v.optional(v.string()),
  totalFaceCount: v.pipe(v.number(), v.integer()),
  customInputParameters: v.record(v.string(), v.string()),
  /** Shares of each expression; only where the configuration has it on. [Note: Ours] */
  emotion: v.optional(v.record(v.string(), v.number())),
  /** The action that was asked instead of one that the person could not perform. [Note: Ours] */
  alternativeAction: v.optional(action),
  /** The collection holds more faces than the scores are calibrated for. [Note: Ours] */
  galleryTooLarge: v.optional(v.boolean()),
})
export type SessionResult = v.InferOutput<typeof sessionResult>

export const getSessionResult = endpoint({
  method: 'GET',
  path: '/v1/verification/get-session-result',
  auth: 'key-or-bearer',
  scope: 'configure',
  query: v.object({ verificationSessionId: v.pipe(v.string(), v.minLength(1)) }),
  result: sessionResult,
  errors: [400, 401, 403, 404],
  summary: 'Returns the full result of a completed session of the last 7 days.',
})
