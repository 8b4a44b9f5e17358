import type { ComponentChildren } from 'preact'
import { useConsole } from '#web/console/core/console-context.ts'
import { Badge, Time } from '#web/console/ui/pieces.tsx'
import { useActors } from '#web/console/ui/use-actors.ts'
import { fill } from '#web/wording/fill.ts'
import type { Review } from './reviewing.ts'

/** A review with its decision, reviewer, time and note. */
export function DecidedReview({ review }: { review: Review }) {
  const { words } = useConsole()
  const { result, session } = words.value
  const nameOf = useActors()
  return (
    <div class="review">
      <Badge tone={review.decision === 'Pass' ? 'good' : 'bad'}>{result[review.decision]}</Badge>{' '}
      <span>{fill(session.reviewedBy, { by: nameOf(review.by) })}</span>{' '}
      <Time at={review.reviewedAt} isExact />
      {review.note !== null && <blockquote dir="auto">{review.note}</blockquote>}
    </div>
  )
}

interface FasterReviewProps {
  readonly review: Review
  /** A link for looking at the session again. */
  readonly children: ComponentChildren
}

/** Shown if another reviewer was faster. It explains their decision and how to continue. */
export function FasterReview({ review, children }: FasterReviewProps) {
  const { words } = useConsole()
  const { faster, fasterAdvice } = words.value.review
  return (
    <div class="note warn" role="alert">
      <strong>{faster}</strong>
      <DecidedReview review={review} />
      <p>{fasterAdvice}</p>
      <div class="buttons">{children}</div>
    </div>
  )
}
