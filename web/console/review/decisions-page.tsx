import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Link } from '#web/console/ui/link.tsx'
import { PageHead, Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { useActors } from '#web/console/ui/use-actors.ts'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import { agreementWords } from './agreement.ts'

const weekMilliseconds = 7 * 24 * 3600 * 1000

/** How each reviewer decided in the last 7 days, and how often a second reviewer agreed. */
export function DecisionsPage() {
  const { words, calls } = useConsole()
  const { review, page, locale } = words.value
  const found = useAccountData(() => {
    const now = Date.now()
    return calls.configuration.getReviewCounts({
      from: new Date(now - weekMilliseconds).toISOString(),
      to: new Date(now + 1000).toISOString(),
    })
  })
  const nameOf = useActors()
  const number = numberFormat(locale)
  const { reviewers = [], agreement } = found.value ?? {}
  return (
    <>
      <nav class="trail">
        <Link to={{ page: 'review' }}>{page.review}</Link>
      </nav>
      <PageHead title={review.byReviewer} />
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && reviewers.length === 0 && <p class="small">{review.noDecisions}</p>}
      {reviewers.length > 0 && (
        <Table
          caption={review.byReviewer}
          isCompact
          rows={reviewers}
          rowKey={({ by }) => by}
          columns={[
            { name: 'by', head: review.reviewer, cell: ({ by }) => <bdi>{nameOf(by)}</bdi> },
            {
              name: 'passed',
              head: review.passedHead,
              isNumber: true,
              cell: ({ passed }) => number.format(passed),
            },
            {
              name: 'failed',
              head: review.failedHead,
              isNumber: true,
              cell: ({ failed }) => number.format(failed),
            },
            {
              name: 'agreed',
              head: review.agreedHead,
              isNumber: true,
              cell: ({ agreed, secondOpinions: all }) =>
                all === 0
                  ? words.value.none
                  : fill(review.agreedOf, { n: number.format(agreed), all: number.format(all) }),
            },
          ]}
        />
      )}
      {agreement !== undefined && (
        <Section title={review.agreement}>
          {agreementWords(agreement, words.value).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p class="small">{review.agreementHint}</p>
        </Section>
      )}
    </>
  )
}
