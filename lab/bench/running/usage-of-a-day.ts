import { countKey, lengthOf } from '../../../server/features/sessions/records/usage-counts.ts'
import type { Write } from '../../../server/platform/store/store.ts'
import { verificationResults } from '../../../shared/contract/sessions/session.ts'
import { usageStates } from '../../../shared/contract/sessions/session-usage.ts'

/** One day's hourly counters for two verifications, as written by sessions. */
export function countsOfDay(accountId: string, from: number): Write[] {
  const hours = Array.from({ length: 24 }, (_, i) => from + i * lengthOf.hour)
  return [from, ...hours].flatMap((at, i) =>
    ['v1', 'v2'].flatMap((verificationId) =>
      countedNames.map(
        (name): Write => ({
          kind: 'add',
          key: countKey(accountId, { at, interval: i === 0 ? 'day' : 'hour', verificationId, name }),
          more: 7,
          expiresInSeconds: 24 * 3600,
        }),
      ),
    ),
  )
}

const countedNames = [
  ...usageStates.map((state) => `states/${state}`),
  ...verificationResults.map((result) => `results/${result}`),
  ...['noFace', 'lowQuality', 'livenessFailed', 'challengeFailed'].map((reason) => `reasons/${reason}`),
  ...['link', 'api'].map((source) => `sources/${source}`),
  ...['low', 'standard'].map((assurance) => `assurances/${assurance}`),
  ...Array.from({ length: 30 }, (_, i) => `seconds/${20 + i}`),
]
