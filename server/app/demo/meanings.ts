/** What each parameter of a result says, in plain words. */
const meanings: Readonly<Record<string, string>> = {
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

export function meaningOf(name: string): string {
  return meanings[name] ?? 'A parameter of your own that was in the link.'
}
