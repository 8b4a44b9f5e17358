import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { EvidenceSection } from '#web/console/sessions/evidence/evidence-section.tsx'
import { MeasuredSection } from '#web/console/sessions/evidence/measured-section.tsx'
import { FaceActions } from '#web/console/sessions/face/face-actions.tsx'
import { Reasons, StandingBadge } from '#web/console/sessions/session-badges.tsx'
import { Timeline } from '#web/console/sessions/timeline-list.tsx'
import { whyRefused } from '#web/console/sessions/why-refused.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Fact, Facts, Id, Maybe, Time } from '#web/console/ui/pieces.tsx'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { Assignment } from './assignment.tsx'

interface LookedAtProps {
  readonly session: ListedSession
  /** Undefined until it has loaded. */
  readonly timeline: SessionTimeline | undefined
  /** Undefined for a second opinion, which is not assigned. */
  readonly onAssigned: (() => void) | undefined
}

/** Everything a reviewer needs: large pictures, and next to them why the session is here and what was measured. */
export function LookedAt({ session, timeline, onAssigned }: LookedAtProps) {
  const { words } = useConsole()
  const { verificationSessionId: id } = session
  return (
    <div class="looked-at">
      <div class="looked-at-pictures">
        {timeline !== undefined && <EvidenceSection id={id} evidence={timeline.evidence} isShown />}
      </div>
      <div class="looked-at-facts">
        <p class="why">
          <StandingBadge session={session} /> {whyRefused(session, words.value)}
        </p>
        {timeline !== undefined && <MeasuredSection measured={timeline.measured} />}
        <Queued session={session} onAssigned={onAssigned} />
        {timeline !== undefined && <FaceActions id={id} denyCollectionIds={timeline.denyCollectionIds} />}
        {timeline !== undefined && (
          <details>
            <summary>{words.value.session.timeline}</summary>
            <Timeline session={session} result={undefined} deliveries={[]} timeline={timeline} />
          </details>
        )}
      </div>
    </div>
  )
}

/** The device and browser used for the visit, if known. */
function deviceOf({ device, browser }: ListedSession, words: ConsoleWording): string | null {
  const known = [device && words.device[device], browser && words.browser[browser]].filter(Boolean)
  return known.length === 0 ? null : known.join(', ')
}

function Queued({ session, onAssigned }: Pick<LookedAtProps, 'session' | 'onAssigned'>) {
  const { words } = useConsole()
  const { sessions, assurance, session: phrases } = words.value
  return (
    <Facts>
      <Fact name={sessions.person}>
        <Maybe value={session.externalId} />
      </Fact>
      <Fact name={sessions.reasons}>
        <Reasons session={session} />
      </Fact>
      <Fact name={sessions.verification}>
        <Maybe value={session.verificationName} />
      </Fact>
      <Fact name={sessions.assurance}>
        <Maybe value={session.assurance === null ? null : assurance[session.assurance]} />
      </Fact>
      <Fact name={words.value.measured.device}>
        <Maybe value={deviceOf(session, words.value)} />
      </Fact>
      <Fact name={sessions.tries}>{session.tries}</Fact>
      {onAssigned !== undefined && (
        <Fact name={words.value.review.assigned}>
          <Assignment session={session} onAssigned={onAssigned} />
        </Fact>
      )}
      <Fact name={phrases.findings}>
        <Maybe
          value={
            session.findings?.length
              ? [...new Set(session.findings.map(({ kind }) => phrases.finding[kind]))].join(', ')
              : null
          }
        />
      </Fact>
      <Fact name={sessions.time}>
        <Time at={session.createdAt} isExact />
      </Fact>
      <Fact name={sessions.session}>
        <Id value={session.verificationSessionId} isShort />{' '}
        <Link to={{ page: 'sessions', parts: [session.verificationSessionId] }}>
          {words.value.action.open}
        </Link>
      </Fact>
    </Facts>
  )
}
