import type * as v from 'valibot'
import type { getReviewCounts } from '#shared/contract/sessions/session-reviewing.ts'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'

type Agreement = v.InferOutput<(typeof getReviewCounts)['result']>['agreement']

/** Sentences that say how often a second reviewer agreed, and in which direction they differed. */
export function agreementWords(agreement: Agreement, { review, locale }: ConsoleWording): string[] {
  const { secondOpinions, agreed, passedThenFailed, failedThenPassed } = agreement
  if (secondOpinions === 0) return [review.noOpinions]
  const number = numberFormat(locale)
  const percent = numberFormat(locale, { style: 'percent' })
  const rate = percent.format(agreed / secondOpinions)
  const counts = { n: number.format(agreed), all: number.format(secondOpinions), rate }
  return [
    fill(review.agreedRate, counts),
    ...(passedThenFailed > 0 ? [fill(review.passedThenFailed, { n: number.format(passedThenFailed) })] : []),
    ...(failedThenPassed > 0 ? [fill(review.failedThenPassed, { n: number.format(failedThenPassed) })] : []),
  ]
}
