import { useState } from 'preact/hooks'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useCopying } from '#web/console/core/copying.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Badge, Id, PageHead, Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { EvidenceSection } from './evidence/evidence-section.tsx'
import { MeasuredSection } from './evidence/measured-section.tsx'
import { FaceActions } from './face/face-actions.tsx'
import { loadSession, type OneSession } from './one-session.ts'
import { ReviewSection } from './review-section.tsx'
import { StandingBadge } from './session-badges.tsx'
import { Checks, Details, Resemblances } from './session-facts.tsx'
import { withoutTime } from './timeline.ts'
import { Timeline } from './timeline-list.tsx'
import { whyRefused } from './why-refused.ts'

const lookMilliseconds = 4000

/** Details of one session. */
export function SessionPage({ id }: { id: string }) {
  const { words, calls } = useConsole()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const loaded = useAccountData(() => loadSession(calls, id, may('getDeliveries')), [id])
  const { session, sessions, page } = words.value
  const listed = loaded.value?.listed
  const isOpen = listed !== undefined && listed.completedAt === null
  useRepeated(lookMilliseconds, () => isOpen && loaded.reload())
  const json = JSON.stringify(loaded.value, null, 2)
  const copy = useCopying()
  return (
    <>
      <nav class="trail">
        <Link to={{ page: 'sessions' }}>{page.sessions}</Link>
      </nav>
      <PageHead title={listed?.externalId ?? `${session.title} ${id.slice(0, 8)}`}>
        {loaded.value !== undefined && <Button onPress={() => copy(json)}>{session.json}</Button>}
        {isOpen && may('cancelSession') && (
          <Button kind="danger" onPress={() => setAsking(true)}>
            {session.cancel}
          </Button>
        )}
      </PageHead>
      <p class="under-head">
        {sessions.session} <Id value={id} />
      </p>
      <ProblemNote problem={loaded.problem} onRetry={loaded.reload} />
      {loaded.value !== undefined && <Whole one={loaded.value} onChanged={loaded.reload} />}
      {loaded.value !== undefined && <Raw json={json} />}
      {isAsking && (
        <Confirm
          title={session.cancelAsk}
          verb={session.cancel}
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await calls.configuration.cancelSession({ verificationSessionId: id })
            loaded.reload()
          }}
        >
          <p>{session.cancelLead}</p>
        </Confirm>
      )}
    </>
  )
}

/** Milestones whose time was not stored, and how often the device changed. */
function Reached({ timeline }: { timeline: OneSession['timeline'] }) {
  const { words } = useConsole()
  const { session, overview } = words.value
  const { devicesTaken } = timeline
  const reached = withoutTime(timeline)
  if (reached.length === 0 && devicesTaken === 0) return null
  return (
    <ul class="chips plain-list">
      {reached.map((one) => (
        <li key={one}>
          <Badge tone="good">{overview[one]}</Badge>
        </li>
      ))}
      {devicesTaken > 0 && (
        <li>
          <Badge tone="plain">{fill(session.taken, { n: devicesTaken })}</Badge>
        </li>
      )}
    </ul>
  )
}

function Raw({ json }: { json: string }) {
  const { words } = useConsole()
  const [isShown, setShown] = useState(false)
  const { session } = words.value
  return (
    <details class="raw" open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{session.showJson}</summary>
      <textarea
        class="code"
        dir="ltr"
        readOnly
        rows={24}
        aria-label={session.showJson}
        value={isShown ? json : ''}
      />
    </details>
  )
}

function Whole({ one, onChanged }: { one: OneSession; onChanged: () => void }) {
  const { words } = useConsole()
  const { session } = words.value
  const { listed, result, timeline, deliveries } = one
  return (
    <div class="two-columns">
      <div>
        {listed !== undefined && (
          <section class="verdict">
            <span>
              <StandingBadge session={listed} />
              {[...new Set(listed.findings?.map(({ kind }) => kind))].map((kind) => (
                <Badge key={kind} tone="warn">
                  {session.finding[kind]}
                </Badge>
              ))}
            </span>
            <p class="why">{whyRefused(listed, words.value)}</p>
          </section>
        )}
        <EvidenceSection id={timeline.verificationSessionId} evidence={timeline.evidence} />
        {result !== undefined && <Checks result={result} asked={timeline.asked} />}
        <MeasuredSection measured={timeline.measured} />
        {result !== undefined && <Resemblances result={result} />}
        {result !== undefined && (
          <FaceActions id={timeline.verificationSessionId} denyCollectionIds={timeline.denyCollectionIds} />
        )}
        {listed !== undefined && (
          <ReviewSection session={listed} timeline={timeline} onReviewed={onChanged} />
        )}
      </div>
      <div>
        {listed !== undefined && (
          <Section title={session.timeline}>
            <Timeline session={listed} result={result} deliveries={deliveries} timeline={timeline} />
            <Reached timeline={timeline} />
          </Section>
        )}
        <Details one={one} />
      </div>
    </div>
  )
}
