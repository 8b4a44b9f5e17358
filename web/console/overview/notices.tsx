import type { Notice } from '#shared/contract/console/notices.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Maybe, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'

const lookMilliseconds = 60_000
const mostShown = 10

/** What was done that weakens a check or leads people and results elsewhere: shown to owners until they have seen it. */
export function Notices() {
  const { role, environment } = useMe()
  return role === 'owner' && environment === 'live' ? <OwnerNotices /> : null
}

function OwnerNotices() {
  const { words, calls } = useConsole()
  const { accountId } = useMe()
  const found = useLoaded(accountId, () => calls.own.getNotices())
  useRepeated(lookMilliseconds, found.reload)
  const doing = useDoing()
  const { notices } = words.value
  const all = found.value?.notices ?? []
  const [newest] = all
  if (newest === undefined) return <ProblemNote problem={found.problem} onRetry={found.reload} />
  const see = () =>
    doing.run(async () => {
      await calls.own.seeNotices({ until: newest.time })
      found.reload()
    })
  return (
    <Section
      title={notices.title}
      aside={
        <Button isBusy={doing.isBusy} onPress={see}>
          {notices.seen}
        </Button>
      }
    >
      <ProblemNote problem={doing.problem} />
      <ul class="timeline">
        {all.slice(0, mostShown).map((notice) => (
          <NoticeLine key={notice.noticeId} notice={notice} />
        ))}
      </ul>
      {all.length > mostShown && (
        <p class="small">
          <Link to={{ page: 'settings', parts: ['audit'] }}>{notices.more}</Link>
        </p>
      )}
    </Section>
  )
}

function NoticeLine({ notice }: { notice: Notice }) {
  const { words } = useConsole()
  const { notices, page } = words.value
  const { time, by, consequences, verificationId } = notice
  return (
    <li class="warn">
      <span class="when">
        <Time at={time} /> · <Maybe value={by} />
      </span>
      {consequences.map((one) => (
        <p key={one}>{notices.consequence[one]}</p>
      ))}
      {verificationId !== null && !consequences.includes('verificationDeleted') && (
        <Link to={{ page: 'verifications', parts: [verificationId] }}>{page.verifications}</Link>
      )}
    </li>
  )
}
