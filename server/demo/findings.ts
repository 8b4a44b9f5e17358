import type { FailedReason } from '#shared/contract/sessions/session.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'

/** One thing that get-session-result tells: its name, its value, and what it means. */
export interface Finding {
  readonly name: string
  readonly value: string
  readonly meaning: string
}

const verifierMeanings = {
  Pass: 'This check was made, and passed.',
  Fail: 'This check was made, and did not pass.',
  NotExecuted: 'This check was not asked for, or the visit ended before it.',
} as const

const reasonMeanings: Readonly<Record<FailedReason, string>> = {
  noFace: 'No face was found in the pictures.',
  multipleFaces: 'More than one face was in view.',
  livenessFailed: 'The pictures did not look like a living person, or had been sent before.',
  challengeFailed: 'What was asked was not done in time, or something else was done.',
  personChanged: 'Not the same person throughout.',
  lowQuality: 'The pictures were too dark, too blurred or too small.',
  ageNotMet: 'The estimated age does not meet the rule.',
  ageUncertain: 'The age could not be estimated surely enough.',
  duplicateFace: 'This face had been seen before.',
  faceMismatch: 'The face is not the one that belongs to the external id.',
  externalIdMissing: 'The link named no external id, which this check needs.',
  externalIdUnknown: 'The external id is not known yet.',
  consentDeclined: 'The visitor did not agree, or left.',
  cameraUnavailable: 'There was no camera that could be used.',
  sessionExpired: 'The quarter of an hour was over.',
  assuranceTooLow: 'It was not sure enough that a live person was there.',
  alternativeChosen: 'The visitor took the other way that the configuration names.',
}

/** Everything that a session result tells, in plain words. */
export function findingsOf(result: SessionResult): Finding[] {
  const { customInputParameters, emotion, verificationFailedReasons: reasons } = result
  return [
    finding('verificationSessionId', result.verificationSessionId, 'The number of this check.'),
    finding('verificationResult', result.verificationResult, 'The verdict of the server on the whole.'),
    finding(
      'verificationFailedReasons',
      reasons.join(', ') || 'none',
      reasons.map((reason) => reasonMeanings[reason]).join(' ') || 'Nothing spoke against it.',
    ),
    verifier('livenessVerificationResult', result.livenessVerificationResult),
    verifier('ageVerificationResult', result.ageVerificationResult),
    finding(
      'estimatedAge',
      rounded(result.estimatedAge),
      'Years, by appearance. Often wrong by seven or more.',
    ),
    verifier('genderVerificationResult', result.genderVerificationResult),
    finding('estimatedGender', result.estimatedGender, 'By appearance, of the two that the network knows.'),
    verifier('faceRecognitionResult', result.faceRecognitionResult),
    finding('faceId', result.faceId, 'The name of this face in the collection of this verification.'),
    finding('correlationId', result.correlationId, 'Your own reference, as it was in the link.'),
    finding('totalFaceCount', String(result.totalFaceCount), 'How many faces were seen at most.'),
    finding(
      'customInputParameters',
      pairs(customInputParameters),
      'Your own parameters, as they were in the link.',
    ),
    finding('assurance', result.assurance, 'How sure it is that a live person was there, by what was sent.'),
    finding('policyVersion', result.policyVersion, 'Which rules judged, by the day on which they came.'),
    finding(
      'injectionHints',
      result.injectionHints.join(', ') || undefined,
      'What hints that the pictures came from no camera. It decides nothing here.',
    ),
    finding(
      'wouldFail',
      result.wouldFail.join(', ') || undefined,
      'Found by rules that this verification only observes.',
    ),
    finding('emotion', emotion && pairs(emotion), 'Shares of each expression. A look is not a feeling.'),
    finding(
      'alternativeAction',
      result.alternativeAction,
      'Asked instead of one that the visitor could not do.',
    ),
  ].filter((found): found is Finding => found !== undefined)
}

function verifier(name: string, value: keyof typeof verifierMeanings): Finding {
  return { name, value, meaning: verifierMeanings[value] }
}

function finding(name: string, value: string | undefined, meaning: string): Finding | undefined {
  return value === undefined ? undefined : { name, value, meaning }
}

function rounded(value: number | undefined): string | undefined {
  return value?.toFixed(1)
}

function pairs(record: Readonly<Record<string, string | number>>): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}
