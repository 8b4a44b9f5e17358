import { useRef, useState } from 'preact/hooks'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { FasterReview } from '#web/console/sessions/decided-review.tsx'
import { UndoNote } from '#web/console/sessions/undo-note.tsx'
import { CheckField } from '#web/console/ui/field.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { DecisionBar } from './decision-bar.tsx'
import { LookedAt } from './looked-at.tsx'
import { useQueue } from './use-queue.ts'
import { useQueueKeys } from './use-queue-keys.ts'

/** Shows the sessions that need a decision one after another, with keyboard control. */
export function ReviewPage() {
  const { words } = useConsole()
  const [withPassed, setWithPassed] = useState(false)
  const [isMine, setMine] = useState(false)
  const [isSecond, setSecond] = useState(false)
  const queue = useQueue({ withPassed, isMine, isSecond })
  const { found, seconds, session } = queue
  const { review, page } = words.value
  return (
    <>
      <PageHead title={page.review}>
        {session !== undefined && (
          <span id="queue-position" class="small" role="status">
            {fill(review.position, { n: queue.at + 1, all: queue.count })}
          </span>
        )}
        {!isSecond && (
          <>
            <CheckField label={review.mine} checked={isMine} onChange={setMine} />
            <CheckField label={review.all} checked={withPassed} onChange={setWithPassed} />
          </>
        )}
        {(isSecond || seconds > 0) && (
          <CheckField label={fill(review.second, { n: seconds })} checked={isSecond} onChange={setSecond} />
        )}
        <Link to={{ page: 'review', parts: ['decisions'] }}>{review.decisions}</Link>
      </PageHead>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && session === undefined && (
        <>
          <Undoing queue={queue} />
          <Empty
            title={isSecond ? review.secondEmpty : review.empty}
            advice={isSecond ? review.secondEmptyAdvice : review.emptyAdvice}
          />
        </>
      )}
      {session !== undefined && <Workplace queue={queue} session={session} isSecond={isSecond} />}
    </>
  )
}

type Queue = ReturnType<typeof useQueue>

function Undoing({ queue: { decided, doing, undo, over } }: { queue: Queue }) {
  return decided === undefined ? null : (
    <UndoNote decided={decided} isBusy={doing.isBusy} onUndo={undo} onOver={over} />
  )
}

interface WorkplaceProps {
  readonly queue: Queue
  readonly session: ListedSession
  /** True if the session has been decided, and only a second opinion is asked for. */
  readonly isSecond: boolean
}

/** The session under review, with the decision below it. */
function Workplace({ queue, session, isSecond }: WorkplaceProps) {
  const { words, calls } = useConsole()
  const may = useMay()
  const field = useRef<HTMLTextAreaElement>(null)
  const { faster, doing, move, decide } = queue
  const { verificationSessionId: id } = session
  const found = useAccountData(
    () => calls.configuration.getSessionTimeline({ verificationSessionId: id }),
    [id],
  )
  const timeline = found.value?.verificationSessionId === id ? found.value : undefined
  useQueueKeys((key) => {
    if (key === 'next') move(1)
    else if (key === 'previous') move(-1)
    else if (key === 'note') field.current?.focus()
    else void decide(key)
  })
  return (
    <article class="workplace" aria-labelledby="queue-position">
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <LookedAt
        session={session}
        timeline={timeline}
        onAssigned={isSecond ? undefined : queue.found.reload}
      />
      <div class="decision-bar">
        <Undoing queue={queue} />
        <ProblemNote problem={doing.problem} />
        {faster !== undefined && (
          <FasterReview review={faster}>
            <Link to={{ page: 'sessions', parts: [id] }}>{words.value.review.lookAgain}</Link>
          </FasterReview>
        )}
        <DecisionBar
          queue={queue}
          endpoints={timeline?.onReview.endpoints}
          keepsPictures={timeline?.evidence?.state === 'kept'}
          mayDecide={may('reviewSession')}
          isSecond={isSecond}
          field={field}
        />
      </div>
    </article>
  )
}
