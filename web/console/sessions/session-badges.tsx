import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Badge } from '#web/console/ui/pieces.tsx'

type SessionStanding = Pick<ListedSession, 'state' | 'verificationResult'>

/** A session's verdict, or its state if it has not completed yet. */
export function StandingBadge({ session }: { session: SessionStanding }) {
  const { words } = useConsole()
  const { state, verificationResult } = session
  if (state === 'Expired') return <Badge tone="plain">{words.value.state.Expired}</Badge>
  if (verificationResult === null) return <Badge tone="busy">{words.value.state[state]}</Badge>
  const tone = verificationResult === 'Pass' ? 'good' : 'bad'
  return <Badge tone={tone}>{words.value.result[verificationResult]}</Badge>
}

/** Brief reasons for a failure. */
export function Reasons({ session }: { session: Pick<ListedSession, 'verificationFailedReasons'> }) {
  const { words } = useConsole()
  const reasons = session.verificationFailedReasons ?? []
  if (reasons.length === 0) return <span class="none">{words.value.none}</span>
  return <>{reasons.map((reason) => words.value.reason[reason]).join(' · ')}</>
}
