import type { Notice } from '#shared/contract/console/notices.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { type LoadState, useDoing } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Maybe, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'

const lookMilliseconds = 60_000
const mostShown = 10

/** Notices about changes that weakened a check or moved people or results. Only owners see them, and never in test environments. */
export function useNotices(): LoadState<readonly Notice[]> {
  const { calls } = useConsole()
  const { role, environment } = useMe()
  const mayLook = role === 'owner' && environment === 'live'
  const found = useAccountData(async () => (mayLook ? (await calls.own.getNotices()).notices : []))
  useRepeated(lookMilliseconds, found.reload)
  return found
}

/** Shows notices until they are marked as seen. */
export function Notices({ found }: { found: LoadState<readonly Notice[]> }) {
  const { words, calls } = useConsole()
  const doing = useDoing()
  const { notices } = words.value
  const all = found.value ?? []
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
