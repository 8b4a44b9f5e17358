import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { useActors } from '#web/console/ui/use-actors.ts'

const weekMilliseconds = 7 * 24 * 3600 * 1000

/** How often each reviewer decided each way in the last 7 days. */
export function ReviewCounts() {
  const { words, calls } = useConsole()
  const { review, locale } = words.value
  const found = useAccountData(() => {
    const now = Date.now()
    return calls.configuration.getReviewCounts({
      from: new Date(now - weekMilliseconds).toISOString(),
      to: new Date(now + 1000).toISOString(),
    })
  })
  const nameOf = useActors()
  const number = new Intl.NumberFormat(locale)
  const rows = found.value?.reviewers ?? []
  return (
    <details class="review-counts">
      <summary>{review.byReviewer}</summary>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 && <p class="small">{review.noDecisions}</p>}
      {rows.length > 0 && (
        <Table
          caption={review.byReviewer}
          isCompact
          rows={rows}
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
          ]}
        />
      )}
    </details>
  )
}
