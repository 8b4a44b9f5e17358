import { daysOf } from '#models/rules/challenge/plan.ts'
import { behindTime } from '#server/features/sessions/records/history-keys.ts'
import type { SessionHistory } from '#server/features/sessions/records/session-history.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import { inBatches } from '#server/platform/running/in-batches.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'

const erasedAtOnce = 100
const dayInMilliseconds = 24 * 3600 * 1000

interface Dependencies {
  readonly store: Pick<Store, 'commit'>
  readonly history: Pick<SessionHistory, 'allClasses' | 'entries' | 'removals'>
  readonly verifications: Pick<Verifications, 'find'>
  readonly now: Clock
}

/**
 * Erases rows that are no longer listed because their verification reduced its days, and returns how many. Increasing the
 * days does not extend existing rows. A deleted verification's rows keep their original days.
 */
export function createShortenHistory({
  store,
  history,
  verifications,
  now,
}: Dependencies): () => Promise<number> {
  async function erase(accountId: string, className: string, days: number): Promise<number> {
    let erased = 0
    const entries = history.entries(accountId, { className }, behindTime(now() - days * dayInMilliseconds))
    for await (const some of inBatches(entries, erasedAtOnce)) {
      await store.commit(await history.removals(accountId, some), [])
      erased += some.length
    }
    return erased
  }

  return async () => {
    const known = new Map<string, number | undefined>()
    const daysNow = async (accountId: string, verificationId: string): Promise<number | undefined> => {
      const key = `${accountId}/${verificationId}`
      if (known.has(key)) return known.get(key)
      const verification = await verifications.find(accountId, verificationId)
      const days = verification === undefined ? undefined : daysOf(verification.verificationConfig)
      known.set(key, days)
      return days
    }
    let erased = 0
    for await (const { accountId, className, class: one } of history.allClasses()) {
      const days = one.verificationId === null ? undefined : await daysNow(accountId, one.verificationId)
      if (days !== undefined && days < one.days) erased += await erase(accountId, className, days)
    }
    return erased
  }
}
