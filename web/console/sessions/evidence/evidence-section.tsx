import { useState } from 'preact/hooks'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { exactTime } from '#web/console/core/times.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { FilmStrip } from './film-strip.tsx'
import { PictureStage } from './picture-stage.tsx'

interface EvidenceProps {
  readonly id: string
  readonly evidence: SessionTimeline['evidence']
  /** True if the pictures are shown without a click, for reviewers who are about to decide. */
  readonly isShown?: boolean
}

/** A session's stored pictures. [Note: A look is a look] They are only loaded on display, because the audit log records every request. */
export function EvidenceSection({ id, evidence, isShown = false }: EvidenceProps) {
  const { words, calls } = useConsole()
  const may = useMay()
  const [isAsked, setAsked] = useState(false)
  const phrases = words.value.evidence
  const isKept = evidence?.state === 'kept' && may('getEvidence')
  const isWanted = isKept && (isShown || isAsked)
  const found = useAccountData(
    () => calls.configuration.getEvidence({ verificationSessionId: id }),
    isWanted ? [id] : null,
  )
  const { locale } = words.value
  return (
    <Section title={phrases.title}>
      {!isKept && <p class="small">{phrases[wordOf(evidence)]}</p>}
      {evidence?.isIncomplete === true && <p class="note warn">{phrases.incomplete}</p>}
      {isKept && !isWanted && (
        <>
          <p class="small">{phrases.showing}</p>
          <Button onPress={() => setAsked(true)}>{phrases.show}</Button>
        </>
      )}
      {isWanted && <ProblemNote problem={found.problem} onRetry={found.reload} />}
      {isWanted && found.value !== undefined && (
        <>
          <PictureStage pictures={found.value.pictures} />
          {found.value.film.length > 0 && <FilmStrip film={found.value.film} />}
          <p class="small">
            {fill(phrases.kept, { time: exactTime(Date.parse(found.value.expiresAt), locale) })}
          </p>
        </>
      )}
    </Section>
  )
}

function wordOf(evidence: SessionTimeline['evidence']) {
  if (evidence === null) return 'none'
  return evidence.state === 'gathered' ? 'gathered' : 'gone'
}
