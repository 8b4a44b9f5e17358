import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { countOf } from '#server/platform/store/counts.ts'
import { createEntrySeal } from '#server/platform/store/sealed/sealed-store.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import type { Review } from '#shared/contract/sessions/session-result.ts'
import { usageInDays } from '#shared/contract/sessions/session-usage.ts'
import { begin } from './usage-counts.ts'

const keptInSeconds = usageInDays * 24 * 3600

/** How often a reviewer decided each way. */
export interface ReviewerCount {
  readonly by: string
  readonly passed: number
  readonly failed: number
}

/**
 * Reviewers' decisions by UTC day. They name no session, and outlive the sessions. [Note: A reviewer's name is sealed] Keys
 * are not encrypted, so they contain the name sealed, always in the same form.
 */
export interface ReviewCounts {
  /** For the commit that makes a decision, or takes one back with `more` at -1. */
  count(accountId: string, review: Pick<Review, 'by' | 'decision' | 'reviewedAt'>, more: 1 | -1): Write
  /** The decisions of the days that begin within [from, to), in milliseconds since 1970; most decisions first. */
  list(accountId: string, from: number, to: number): Promise<ReviewerCount[]>
}

export function createReviewCounts(store: Store, keyRing: KeyRing): ReviewCounts {
  const { seal, open } = createEntrySeal(keyRing)
  const contextOf = (accountId: string) => `reviewer/${accountId}`
  const sealed = (accountId: string, by: string) =>
    Buffer.from(seal(contextOf(accountId), Buffer.from(by))).toString('base64url')
  const nameOf = (accountId: string, text: string) =>
    tryOrUndefined(() => Buffer.from(open(contextOf(accountId), Buffer.from(text, 'base64url'))).toString())
  const prefixOf = (accountId: string) => `review-count/${accountId}/`
  const dayOf = (time: number) => String(begin(time, 'day')).padStart(15, '0')

  return {
    count(accountId, { by, decision, reviewedAt }, more) {
      const place = `${dayOf(Date.parse(reviewedAt))}/${sealed(accountId, by)}/${decision}`
      return { kind: 'add', key: prefixOf(accountId) + place, more, expiresInSeconds: keptInSeconds }
    },
    async list(accountId, from, to) {
      const prefix = prefixOf(accountId)
      const found = new Map<string, { passed: number; failed: number }>()
      for await (const { key, value } of store.list(prefix, prefix + dayOf(from))) {
        const [day, name, decision] = key.slice(prefix.length).split('/') as [string, string, string]
        if (Number(day) >= to) break
        const by = nameOf(accountId, name)
        if (by === undefined) continue
        const counted = found.get(by) ?? { passed: 0, failed: 0 }
        counted[decision === 'Pass' ? 'passed' : 'failed'] += countOf(value)
        found.set(by, counted)
      }
      return [...found]
        .map(([by, counted]) => ({ by, ...counted }))
        .filter(({ passed, failed }) => passed + failed > 0)
        .sort((a, b) => b.passed + b.failed - (a.passed + a.failed) || (a.by < b.by ? -1 : 1))
    },
  }
}
