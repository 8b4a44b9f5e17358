import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Badge } from '#web/console/ui/pieces.tsx'

type Standing = Pick<ListedSession, 'state' | 'outcome'>

const tones = { passed: 'good', failed: 'bad', left: 'plain', expired: 'plain' } as const

/** A session's outcome, or its state if it has not ended yet. */
export function StandingBadge({ session: { state, outcome } }: { session: Standing }) {
  const { words } = useConsole()
  if (outcome === 'open') return <Badge tone="busy">{words.value.state[state]}</Badge>
  return <Badge tone={tones[outcome]}>{words.value.overview[outcome]}</Badge>
}

/** Brief reasons for a failure. */
export function Reasons({ session }: { session: Pick<ListedSession, 'verificationFailedReasons'> }) {
  const { words } = useConsole()
  const reasons = session.verificationFailedReasons ?? []
  if (reasons.length === 0) return <span class="none">{words.value.none}</span>
  return <>{reasons.map((reason) => words.value.reason[reason]).join(' · ')}</>
}
