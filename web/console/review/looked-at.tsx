import type { ComponentChildren } from 'preact'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { EvidenceSection } from '#web/console/sessions/evidence/evidence-section.tsx'
import { MeasuredSection } from '#web/console/sessions/evidence/measured-section.tsx'
import { Timeline } from '#web/console/sessions/timeline-list.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'

interface LookedAtProps {
  readonly session: ListedSession
  /** Facts from the list of sessions. */
  readonly children: ComponentChildren
}

/** Everything a reviewer needs: the pictures, the facts from the list (next to them if they fit), the measurements, and all tries. */
export function LookedAt({ session, children }: LookedAtProps) {
  const { words, calls } = useConsole()
  const { verificationSessionId: id } = session
  const found = useAccountData(
    () => calls.configuration.getSessionTimeline({ verificationSessionId: id }),
    [id],
  )
  const timeline = found.value?.verificationSessionId === id ? found.value : undefined
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <div class="looked-at">
        <div class="looked-at-pictures">
          {timeline !== undefined && <EvidenceSection id={id} evidence={timeline.evidence} isShown />}
        </div>
        {children}
        {timeline !== undefined && (
          <div class="looked-at-rest">
            <MeasuredSection measured={timeline.measured} />
            <Section title={words.value.session.timeline}>
              <Timeline session={session} result={undefined} deliveries={[]} timeline={timeline} />
            </Section>
          </div>
        )}
      </div>
    </>
  )
}
