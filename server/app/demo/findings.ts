import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import { en } from './wording/en.ts'

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

/** Everything that a session result tells, in plain words. */
export function findingsOf(result: SessionResult): Finding[] {
  const { customInputParameters, emotion, verificationFailedReasons: reasons } = result
  return [
    finding('verificationSessionId', result.verificationSessionId, 'The number of this check.'),
    finding('verificationResult', result.verificationResult, 'The verdict of the server on the whole.'),
    finding(
      'verificationFailedReasons',
      reasons.join(', ') || 'none',
      reasons.map((reason) => en.reasons[reason]).join(' ') || 'Nothing spoke against it.',
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
    verifier('referenceResult', result.referenceResult),
    finding(
      'referenceSimilarity',
      rounded(result.referenceSimilarity ?? undefined),
      'How alike the face and the picture that was given are, of 100.',
    ),
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
