import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { countOf } from '#server/platform/store/counts.ts'
import { createEntrySeal } from '#server/platform/store/sealed/sealed-store.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import type { Review } from '#shared/contract/sessions/session-result.ts'
import { usageInDays } from '#shared/contract/sessions/session-usage.ts'
import type { SecondOpinion } from './session-record.ts'
import { begin } from './usage-counts.ts'

const keptInSeconds = usageInDays * 24 * 3600

/** How often a reviewer decided each way, and how often a second reviewer agreed. */
export interface ReviewerCount {
  readonly by: string
  readonly passed: number
  readonly failed: number
  readonly secondOpinions: number
  readonly agreed: number
}

/** How often a second reviewer agreed with the decision, whoever made it. */
export interface Agreement {
  readonly secondOpinions: number
  readonly agreed: number
  readonly passedThenFailed: number
  readonly failedThenPassed: number
}

/**
 * Reviewers' decisions by UTC day. They name no session, and outlive the sessions. [Note: A reviewer's name is sealed] Keys
 * are not encrypted, so they contain the name sealed, always in the same form.
 */
export interface ReviewCounts {
  /** For the commit that makes a decision, or takes one back with `more` at -1. */
  count(accountId: string, review: Pick<Review, 'by' | 'decision' | 'reviewedAt'>, more: 1 | -1): Write
  /** Does the same for a second opinion. */
  countOpinion(accountId: string, opinion: SecondOpinion, more: 1 | -1): Write
  /** The counts of the days that begin within [from, to), in milliseconds since 1970; most decisions first. */
  list(
    accountId: string,
    from: number,
    to: number,
  ): Promise<{ reviewers: ReviewerCount[]; agreement: Agreement }>
}

/** A reviewer's count that the store keeps, with the words after the name in its key. */
interface Counted {
  readonly by: string
  readonly words: readonly string[]
  readonly count: number
}

export function createReviewCounts(store: Store, keyRing: KeyRing): ReviewCounts {
  const { seal, open } = createEntrySeal(keyRing)
  const contextOf = (accountId: string) => `reviewer/${accountId}`
  const sealed = (accountId: string, by: string) =>
    Buffer.from(seal(contextOf(accountId), Buffer.from(by))).toString('base64url')
  const nameOf = (accountId: string, text: string) =>
    tryOrUndefined(() => Buffer.from(open(contextOf(accountId), Buffer.from(text, 'base64url'))).toString())
  const decisions = (accountId: string) => `review-count/${accountId}/`
  const opinions = (accountId: string) => `review-agreement/${accountId}/`
  const dayOf = (time: number) => String(begin(time, 'day')).padStart(15, '0')
  const add = (key: string, more: 1 | -1): Write => ({
    kind: 'add',
    key,
    more,
    expiresInSeconds: keptInSeconds,
  })

  async function* listed(accountId: string, prefix: string, from: number, to: number) {
    for await (const { key, value } of store.list(prefix, prefix + dayOf(from))) {
      const [day, name, ...words] = key.slice(prefix.length).split('/') as [string, string, ...string[]]
      if (Number(day) >= to) break
      const by = nameOf(accountId, name)
      if (by !== undefined) yield { by, words, count: countOf(value) } satisfies Counted
    }
  }

  return {
    count(accountId, { by, decision, reviewedAt }, more) {
      const place = `${dayOf(Date.parse(reviewedAt))}/${sealed(accountId, by)}/${decision}`
      return add(decisions(accountId) + place, more)
    },
    countOpinion(accountId, { given, about }, more) {
      const name = sealed(accountId, about.by)
      const place = `${dayOf(Date.parse(given.givenAt))}/${name}/${about.decision}/${given.decision}`
      return add(opinions(accountId) + place, more)
    },
    async list(accountId, from, to) {
      const reviewers = new Map<string, { -readonly [Name in keyof ReviewerCount]: ReviewerCount[Name] }>()
      const agreement = { secondOpinions: 0, agreed: 0, passedThenFailed: 0, failedThenPassed: 0 }
      const of = (by: string) => {
        const known = reviewers.get(by) ?? { by, passed: 0, failed: 0, secondOpinions: 0, agreed: 0 }
        reviewers.set(by, known)
        return known
      }
      for await (const { by, words, count } of listed(accountId, decisions(accountId), from, to))
        of(by)[words[0] === 'Pass' ? 'passed' : 'failed'] += count
      for await (const { by, words, count } of listed(accountId, opinions(accountId), from, to)) {
        const [decision, opinion] = words
        for (const sum of [of(by), agreement]) {
          sum.secondOpinions += count
          if (decision === opinion) sum.agreed += count
        }
        if (decision !== opinion)
          agreement[decision === 'Pass' ? 'passedThenFailed' : 'failedThenPassed'] += count
      }
      const busiest = [...reviewers.values()]
        .filter(({ passed, failed, secondOpinions }) => passed + failed + secondOpinions > 0)
        .sort((a, b) => b.passed + b.failed - (a.passed + a.failed) || (a.by < b.by ? -1 : 1))
      return { reviewers: busiest, agreement }
    },
  }
}
