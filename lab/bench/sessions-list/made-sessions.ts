import type { SessionHistory } from '../../../server/features/sessions/records/session-history.ts'
import type { SessionRecord } from '../../../server/features/sessions/records/session-record.ts'
import { rowOf } from '../../../server/features/sessions/records/session-row.ts'
import type { SessionRows } from '../../../server/features/sessions/records/session-rows.ts'
import type { Write } from '../../../server/platform/store/store.ts'

export const accountId = 'bench'
export const listedForDays = 400
const day = 24 * 3600 * 1000
const verifications = 20
const kiosks = 50
const people = 400_000

/** Filters with different selectivity, alone and combined. Some match nothing, so a list without a suitable index has to scan everything. */
export const filters: readonly Readonly<Record<string, string>>[] = [
  {},
  { verificationId: 'v7' },
  { verificationId: 'unknown' },
  { state: 'Completed' },
  { state: 'Expired' },
  { verificationResult: 'Fail' },
  { failedReason: 'noFace' },
  { failedReason: 'personChanged' },
  { failedReason: 'duplicateFace' },
  { externalId: 'user 777' },
  { correlationId: 'order 500000' },
  { kioskId: 'k3' },
  { kioskId: 'k3', failedReason: 'personChanged' },
  { verificationSessionId: 'session 5' },
  { review: 'waiting' },
  { review: 'reviewed' },
  { review: 'waiting', order: 'leastCertain' },
  { order: 'leastCertain' },
  { verificationResult: 'Fail', order: 'leastCertain' },
  { source: 'kiosk' },
  { verificationId: 'v7', verificationResult: 'Fail', source: 'link' },
  { verificationId: 'v7', failedReason: 'personChanged' },
  { state: 'Expired', verificationResult: 'Pass' },
]

/** Sessions that are spread evenly over the days covered by the list. */
export function madeSession(number: number, count: number, now: number): SessionRecord {
  const failed = number % 4 === 0
  const reasons = failed ? [reasonOf(number)] : []
  const source = number % 10 === 0 ? 'kiosk' : number % 3 === 0 ? 'api' : 'link'
  const created = now - Math.floor(((count - number) / count) * listedForDays * day)
  const review = { decision: 'Pass', note: null, reviewedAt: new Date(created).toISOString(), by: 'key' }
  const record = {
    accountId,
    sessionId: `session ${number}`,
    verificationId: `v${number % verifications}`,
    inputs: {
      externalId: `user ${(Math.imul(number, 2_654_435_761) >>> 0) % people}`,
      correlationId: `order ${number}`,
    },
    source,
    kiosk: source === 'kiosk' ? { kioskId: `k${Math.floor(number / 10) % kiosks}` } : undefined,
    state: reasons[0] === 'sessionExpired' ? 'Expired' : 'Completed',
    settings: { history: { days: listedForDays } },
    reached: [],
    tries: 1 + (number % 3),
    created,
    completedAt: created + 30_000,
    review: number % 97 === 0 ? review : null,
    outcome: {
      result: {
        verificationResult: failed ? 'Fail' : 'Pass',
        verificationFailedReasons: reasons,
        assurance: failed ? 'low' : 'standard',
        findings: [],
      },
    },
  }
  return record as unknown as SessionRecord
}

/** One in a thousand fails for a rare reason. */
function reasonOf(number: number): string {
  if (number % 1000 === 4) return 'personChanged'
  return number % 8 === 0 ? 'noFace' : number % 12 === 0 ? 'lowQuality' : 'sessionExpired'
}

/** A session's records: its row in the history, and its row in the in-memory list unless it is too old. */
export function writesOf(
  record: SessionRecord,
  { history, rows }: { readonly history: SessionHistory; readonly rows: SessionRows },
  now: number,
): Write[] {
  const secondsLeft = (record.created + 7 * day - now) / 1000
  const recent =
    secondsLeft <= 1
      ? []
      : [
          rows.write(accountId, rowOf(record), secondsLeft),
          rows.note(accountId, record.sessionId, null, secondsLeft),
        ]
  return [...history.writes(undefined, record), ...recent]
}
