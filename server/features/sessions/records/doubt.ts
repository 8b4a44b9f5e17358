import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { leavingReasons } from '#shared/contract/sessions/session-ending.ts'
import type { ReviewState } from '#shared/contract/sessions/session-list.ts'
import type { SessionState } from './session-record.ts'

/** The least certain reasons: the measurement is close to its limit, or was inconclusive. */
const uncertain: ReadonlySet<FailedReason> = new Set([
  'ageUncertain',
  'lowQuality',
  'assuranceTooLow',
  'challengeFailed',
  'faceMismatch',
  'referenceMismatch',
])

const mostTriesCounted = 3

interface ListedVerdict {
  readonly state: SessionState
  readonly result: 'Pass' | 'Fail' | null
  readonly reasons: readonly FailedReason[] | null
  readonly findings: readonly { readonly kind: string }[] | null
  readonly tries: number
  readonly review: unknown
}

/**
 * A verdict's uncertainty in hundredths, as an integer up to 330. The higher it is, the sooner it needs a human review. 0 before
 * completion. [Note: Least certain first] A failure ranks above a pass. Measurements close to their limit, a resemblance
 * to another person's visit and further tries all add to it.
 */
export function doubtOf({ result, reasons, findings, tries }: ListedVerdict): number {
  if (result === null) return 0
  const all = reasons ?? []
  const share = all.length === 0 ? 0 : all.filter((reason) => uncertain.has(reason)).length / all.length
  const failed = result === 'Fail' ? 1 : 0
  const resembles = (findings?.length ?? 0) > 0 ? 1 : 0
  return Math.round(100 * (share + failed + resembles)) + 10 * Math.min(tries, mostTriesCounted)
}

/**
 * `wanted` if a person should decide, because the session failed or matched a face that must not pass; `waiting` if a person
 * may; `reviewed` if a person has; null if there is nothing to decide.
 */
export function reviewStateOf({
  state,
  result,
  reasons,
  findings,
  review,
}: ListedVerdict): ReviewState | null {
  if (review !== null) return 'reviewed'
  // Without a judgement, there is nothing to decide.
  const isDecidable =
    state === 'Completed' && !(reasons ?? []).some((reason) => leavingReasons.includes(reason))
  if (!isDecidable) return null
  const isWanted = result === 'Fail' || (findings ?? []).some(({ kind }) => kind === 'denied')
  return isWanted ? 'wanted' : 'waiting'
}
