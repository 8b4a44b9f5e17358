import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { Judgement } from '#server/features/sessions/access/judgement.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import type { TestSubmission } from '#server/features/sessions/pictures/submission.ts'
import { notRecognised, type Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { FailedReason, TestOutcome, VerifierResult } from '#shared/contract/sessions/session.ts'

const ofLiveness: readonly FailedReason[] = [
  'livenessFailed',
  'challengeFailed',
  'personChanged',
  'assuranceTooLow',
]
const ofAge: readonly FailedReason[] = ['ageNotMet', 'ageUncertain']
const ofReference: readonly FailedReason[] = ['referenceMismatch']
const ofRecognition: readonly FailedReason[] = [
  'duplicateFace',
  'faceMismatch',
  'externalIdMissing',
  'externalIdUnknown',
  'denied',
]

/** Judges a test. If each try has its own outcome, the remaining tries may follow. Pure. */
export function judgeTest(
  record: SessionRecord,
  { outcome, acceptsRetry }: Pick<TestSubmission, 'outcome' | 'acceptsRetry'>,
): Judgement {
  const judged = testVerdict(record, outcome)
  if (record.test?.further === undefined) return { record, ...judged }
  const [next, ...further] = record.test.further
  const tried = { ...record, tries: record.tries + 1 }
  if (next === undefined) return { record: tried, ...judged }
  return { record: { ...tried, test: { outcome: next, further } }, acceptsRetry, ...judged }
}

/**
 * A test's verdict, as requested. [Note: Pixels never decide a test] It contains no observations or recognition, and no
 * collection is searched.
 */
function testVerdict(
  { settings }: Pick<SessionRecord, 'settings'>,
  { result, age, faceId, referenceSimilarity }: TestOutcome,
): { verdict: Verdict; recognition: Recognition } {
  const rules = rulesOf(settings)
  const reason = result === 'passed' ? null : result
  const isSeen = reason !== 'consentDeclined' && reason !== 'cameraUnavailable' && reason !== 'noFace'
  const verifier = (isOn: boolean, reasons: readonly FailedReason[]): VerifierResult => {
    if (!isOn || !isSeen) return 'NotExecuted'
    return reason !== null && reasons.includes(reason) ? 'Fail' : 'Pass'
  }
  const similarity = isSeen ? (referenceSimilarity ?? null) : null
  const recognised = verifier(rules.faceRecognition, ofRecognition)
  const isRecognised = rules.faceRecognition && (reason === null || ofRecognition.includes(reason))
  return {
    verdict: {
      ...emptyVerdict('noFace'),
      reasons: reason === null || ofRecognition.includes(reason) ? [] : [reason],
      liveness: verifier(rules.liveness, ofLiveness),
      age: verifier(rules.age.type !== 'Disabled', ofAge),
      gender: 'NotExecuted',
      ...(rules.reference && {
        reference: { result: verifier(rules.reference.type === 'Verification', ofReference), similarity },
      }),
      estimatedAge: rules.age.type !== 'Disabled' && isSeen ? (age ?? null) : null,
      totalFaceCount: isSeen ? 1 : 0,
      assurance: rules.liveness && isSeen ? 'standard' : 'none',
    },
    recognition: {
      ...notRecognised,
      result: isRecognised ? recognised : 'NotExecuted',
      reason: reason !== null && ofRecognition.includes(reason) ? reason : null,
      faceId: isRecognised ? (faceId ?? null) : null,
    },
  }
}
