import { canonicalQuery } from '#server/features/links/links.ts'
import type { DecidedResult } from '#server/features/sessions/records/session-record.ts'
import type { ResultFlag } from '#shared/contract/configuration/verification-config.ts'

type IncludedFlags = Readonly<Partial<Record<ResultFlag, boolean>>>
type Parameter = readonly [name: string, value: string]

/** `completedAt` is in milliseconds since 1970; the verification ID is null for a session without a verification. */
interface EndOfSession {
  readonly verificationId: string | null
  readonly completedAt: number
}

const results = { Pass: 'passed', Fail: 'failed', NotExecuted: 'not_executed' } as const

/** The requested result parameters that are known, in the interface's order, followed by custom ones and then ours. */
export function resultParameters(
  result: DecidedResult,
  include: IncludedFlags,
  custom: readonly Parameter[],
  ending: EndOfSession,
): Parameter[] {
  const { estimatedAge, estimatedGender } = result
  const reasons = result.verificationFailedReasons.join(',')
  const all: [ResultFlag, string, string | undefined][] = [
    ['includeSessionId', 'reVerificationSessionId', result.verificationSessionId],
    ['includeVerificationResult', 'reVerificationResult', results[result.verificationResult]],
    ['includeLivenessCheckResult', 'reLivenessResult', results[result.livenessVerificationResult]],
    ['includeFaceRecognitionResult', 'reFaceRecognitionResult', results[result.faceRecognitionResult]],
    ['includeAgeVerificationResult', 'reAgeVerificationResult', results[result.ageVerificationResult]],
    [
      'includeGenderVerificationResult',
      'reGenderVerificationResult',
      results[result.genderVerificationResult],
    ],
    ['includeFaceId', 'reFaceId', result.faceId],
    ['includeAge', 'reAge', estimatedAge === undefined ? undefined : String(Math.floor(estimatedAge))],
    ['includeGender', 'reGender', estimatedGender?.toLowerCase()],
    ['includeCorrelationId', 'reCorrelationId', result.correlationId],
    ['includeTotalFaceCount', 'reTotalFaceCount', String(result.totalFaceCount)],
    ['includeFailedReason', 'reFailedReason', reasons === '' ? undefined : reasons],
  ]
  const wanted = all.flatMap(([flag, name, value]): Parameter[] =>
    include[flag] === true && value !== undefined ? [[name, value]] : [],
  )
  return [
    ...wanted,
    ...(include.includeCustomInputParameters === true ? custom : []),
    ...(include.includeAssurance === true ? [['reAssurance', result.assurance] as const] : []),
    ...(include.includeSignature === true ? bindingOf(result, ending) : []),
  ]
}

/** [Note: A signed result is of one session] The parameters that bind a signed address to its session. They are always included. */
function bindingOf({ resultId }: DecidedResult, { verificationId, completedAt }: EndOfSession): Parameter[] {
  return [
    ...(verificationId === null ? [] : [['reVerificationId', verificationId] as const]),
    ['reCompletedAt', String(Math.floor(completedAt / 1000))],
    ['reResultId', resultId],
  ]
}

/** The final address: the parameters are added to the address's own query, the signature covers the whole query, and the fragment comes last. */
export function redirectAddress(
  address: string,
  parameters: readonly Parameter[],
  sign: ((query: string) => string) | undefined,
): string {
  const [beforeFragment, ...fragment] = splitOnce(address, '#')
  const [base, ...ownQuery] = splitOnce(beforeFragment!, '?')
  const added = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const query = canonicalQuery([...ownQuery.filter((text) => text !== ''), ...added].join('&'))
  const final = sign === undefined ? query : sign(query)
  return `${base}${final === '' ? '' : `?${final}`}${fragment.length === 0 ? '' : `#${fragment[0]}`}`
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
