import type { SessionResult } from '#shared/contract/sessions/session-result.ts'

/** The meaning of each parameter in the address that a visitor returns with. */
export const parameterMeanings: Readonly<Record<string, string>> = {
  reVerificationSessionId: 'The number of this check. Ask get-session-result for it to learn everything.',
  reVerificationResult: 'Whether the whole check passed.',
  reLivenessResult:
    'Whether a live person was before the camera and did what was asked; not_executed where nobody asked.',
  reFaceRecognitionResult: 'Whether the face met the rule about known faces.',
  reAgeVerificationResult:
    'Whether the estimated age meets the rule. Where there is none, that it was estimated.',
  reGenderVerificationResult: 'Whether a gender was estimated; this demo does not ask for it.',
  reFaceId: 'The name of this face in the collection: the same person gets the same one again.',
  reAge: 'The estimated age in whole years. Often wrong by seven or more.',
  reGender: 'The estimated gender.',
  reCorrelationId: 'Your own reference, as it was in the link.',
  reTotalFaceCount: 'How many faces were seen.',
  reFailedReason: 'Why the check did not pass. Leave it out where the person should not see it.',
  reAssurance: 'How sure it is that a live person was there: none, low, standard or high.',
  reSignature: 'The signature over all of the above. Check it before you believe any of it.',
}
export const ownParameterMeaning = 'A parameter of your own that was in the link.'
const nothingFailed = 'Nothing spoke against it.'

/** The meaning of each verifier's result. */
export const verifierMeanings = {
  Pass: 'This check was made, and passed.',
  Fail: 'This check was made, and did not pass.',
  NotExecuted: 'This check was not asked for, or the visit ended before it.',
} as const

/** The meaning of each member of get-session-result, in the order in which they are shown. */
export const memberMeanings = {
  verificationSessionId: 'The number of this check.',
  verificationResult: 'The verdict of the server on the whole.',
  verificationFailedReasons: nothingFailed,
  livenessVerificationResult: verifierMeanings,
  ageVerificationResult: verifierMeanings,
  estimatedAge: 'Years, by appearance. Often wrong by seven or more.',
  genderVerificationResult: verifierMeanings,
  estimatedGender: 'By appearance, of the two that the network knows.',
  faceRecognitionResult: verifierMeanings,
  referenceResult: verifierMeanings,
  referenceSimilarity: 'How alike the face and the picture that was given are, of 100.',
  faceId: 'The name of this face in the collection of this verification.',
  correlationId: 'Your own reference, as it was in the link.',
  totalFaceCount: 'How many faces were seen at most.',
  customInputParameters: 'Your own parameters, as they were in the link.',
  assurance: 'How sure it is that a live person was there, by what was sent.',
  policyVersion: 'Which rules judged, by the day on which they came.',
  injectionHints: 'What hints that the pictures came from no camera. It decides nothing here.',
  wouldFail: 'Found by rules that this verification only observes.',
  emotion: 'Shares of each expression. A look is not a feeling.',
  alternativeAction: 'Asked instead of one that the visitor could not do.',
} as const satisfies Partial<Record<keyof SessionResult, string | typeof verifierMeanings>>
