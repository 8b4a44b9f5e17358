import type { Notice } from '#shared/contract/console/notices.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Maybe, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { type ActorNames, useActors } from '#web/console/ui/use-actors.ts'
import { count } from '#web/wording/fill.ts'

const mostShown = 10

interface NoticesProps {
  /** Newest first; at least one. */
  readonly all: readonly Notice[]
  readonly onSeen: () => void
}

/** Notices about changes that weakened a check or moved people or results, folded into one line until they are marked as seen. */
export function Notices({ all, onSeen }: NoticesProps) {
  const { words, calls } = useConsole()
  const doing = useDoing()
  const nameOf = useActors()
  const { notices, attention, locale } = words.value
  const see = () =>
    doing.run(async () => {
      await calls.own.seeNotices({ until: all[0]!.time })
      onSeen()
    })
  return (
    <>
      <details class="what">
        <summary>{count(locale, attention.notices, all.length)}</summary>
        <ul class="timeline">
          {all.slice(0, mostShown).map((notice) => (
            <NoticeLine key={notice.noticeId} notice={notice} nameOf={nameOf} />
          ))}
        </ul>
        {all.length > mostShown && (
          <p class="small">
            <Link to={{ page: 'settings', parts: ['audit'] }}>{notices.more}</Link>
          </p>
        )}
      </details>
      <ProblemNote problem={doing.problem} />
      <Button isBusy={doing.isBusy} onPress={see}>
        {notices.seen}
      </Button>
    </>
  )
}

function NoticeLine({ notice, nameOf }: { notice: Notice; nameOf: ActorNames }) {
  const { words } = useConsole()
  const { notices, page } = words.value
  const { time, by, consequences } = notice
  const place = placeOf(notice)
  return (
    <li class="warn">
      <span class="when">
        <Time at={time} /> · <Maybe value={by && nameOf(by)} />
      </span>
      {consequences.map((one) => (
        <p key={one}>{notices.consequence[one]}</p>
      ))}
      {place && <Link to={place}>{page[place.page]}</Link>}
    </li>
  )
}

/** The page that shows what changed. A deleted verification has none. */
function placeOf({ consequences, verificationId }: Notice) {
  if (consequences.includes('kioskMade')) return { page: 'kiosks' } as const
  if (verificationId === null || consequences.includes('verificationDeleted')) return undefined
  return { page: 'verifications', parts: [verificationId] } as const
}
