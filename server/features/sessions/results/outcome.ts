import { assuranceOfFailed } from '#models/rules/liveness/evidence/assurance.ts'
import { policyVersion } from '#models/rules/liveness/policy.ts'
import { pipelineVersion } from '#models/rules/pipeline-version.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { Recognition } from '#server/features/sessions/records/recognition.ts'
import type {
  DecidedResult,
  KioskOrigin,
  SessionOutcome,
  SessionRecord,
} from '#server/features/sessions/records/session-record.ts'
import { deviceFindings } from './device-findings.ts'
import { hintsOf } from './hints.ts'
import { redirectAddress, resultParameters } from './redirect.ts'

/** A session's result. Pure: everything that is shown derives from the verdict and the recognition. */
export function resultOf(record: SessionRecord, verdict: Verdict, recognition: Recognition): DecidedResult {
  const reasons = recognition.reason === null ? verdict.reasons : [...verdict.reasons, recognition.reason]
  const { correlationId, custom } = record.inputs
  const { alternativeAction } = record.progress
  const verificationResult = reasons.length === 0 ? 'Pass' : 'Fail'
  return {
    verificationSessionId: record.sessionId,
    resultId: record.resultId,
    verificationResult,
    verificationFailedReasons: [...reasons],
    livenessVerificationResult: verdict.liveness,
    ageVerificationResult: verdict.age,
    ...(verdict.estimatedAge === null ? {} : { estimatedAge: verdict.estimatedAge }),
    genderVerificationResult: verdict.gender,
    ...(verdict.estimatedGender === null ? {} : { estimatedGender: verdict.estimatedGender }),
    faceRecognitionResult: recognition.result,
    referenceResult: verdict.reference?.result ?? 'NotExecuted',
    referenceSimilarity: verdict.reference?.similarity ?? null,
    ...(recognition.faceId === null ? {} : { faceId: recognition.faceId }),
    ...(correlationId === null ? {} : { correlationId }),
    totalFaceCount: verdict.totalFaceCount,
    customInputParameters: Object.fromEntries(custom),
    assurance: verificationResult === 'Pass' ? verdict.assurance : assuranceOfFailed(verdict.assurance),
    policyVersion,
    wouldFail: [...verdict.wouldFail],
    findings: [
      ...(record.resembles ?? []).map(({ kind, sessionId }) => ({ kind, verificationSessionId: sessionId })),
      ...deviceFindings(record),
      ...deniedFindings(record, recognition),
    ],
    injectionHints: hintsOf(record),
    ...(verdict.emotion === null ? {} : { emotion: { ...verdict.emotion } }),
    ...(alternativeAction === null ? {} : { alternativeAction }),
    ...(recognition.galleryTooLarge ? { galleryTooLarge: true } : {}),
    ...(record.kiosk === undefined ? {} : ofKiosk(record.kiosk, verificationResult)),
  }
}

/** Findings about faces that must not pass. They name the session itself, because the other is a face and not a session. */
function deniedFindings({ sessionId }: SessionRecord, { denied }: Recognition): DecidedResult['findings'] {
  const kinds = [
    ...(denied === undefined || denied.match === null ? [] : ['denied' as const]),
    ...(denied?.isSkipped === true ? ['denySkipped' as const] : []),
  ]
  return kinds.map((kind) => ({ kind, verificationSessionId: sessionId }))
}

function ofKiosk(
  { capturedAt, receivedAt, answer, ...origin }: KioskOrigin,
  verificationResult: 'Pass' | 'Fail',
): Pick<DecidedResult, 'capturedAt' | 'kiosk'> {
  const differs = answer.result !== 'Pending' && answer.result !== verificationResult
  return { capturedAt, kiosk: { ...origin, receivedAt: new Date(receivedAt).toISOString(), answer, differs } }
}

/** The result, with the return address if the configuration names one. */
export function outcomeOf(
  record: SessionRecord,
  result: DecidedResult,
  evidence: Verdict['evidence'],
  sign: (query: string) => string,
  completedAt: number,
): SessionOutcome {
  const { include, passedUrl, failedUrl } = record.settings
  const address = result.verificationResult === 'Pass' ? passedUrl : failedUrl
  if (address === null) return { result, redirectUrl: null, evidence }
  const parameters = resultParameters(result, include, record.inputs.custom, { ...record, completedAt })
  return {
    result,
    redirectUrl: redirectAddress(address, parameters, include.includeSignature ? sign : undefined),
    evidence,
  }
}

/** A completed session's record: the observations are erased and the outcome remains. */
export function closed(
  { resembles: _, ...record }: SessionRecord,
  outcome: SessionOutcome,
  { state, completedAt }: { state: 'Completed' | 'Expired'; completedAt: number },
): SessionRecord {
  const { before: _tries, reference: _face, ...kept } = record
  return {
    ...kept,
    state,
    completedAt,
    outcome,
    pipelineVersion,
    observations: [],
    trail: [],
    progress: { ...record.progress, open: null },
  }
}
