import { useState } from 'preact/hooks'
import { type ListedSession, noteMaximum } from '#shared/contract/sessions/session-list.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Submit } from '#web/console/ui/controls.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Badge, Section, Time } from '#web/console/ui/pieces.tsx'
import { fill } from '#web/wording/fill.ts'

interface ReviewSectionProps {
  readonly session: ListedSession
  readonly onReviewed: () => void
}

/** What a person decided about it, and the form for who may. */
export function ReviewSection({ session, onReviewed }: ReviewSectionProps) {
  const { words } = useConsole()
  const may = useMay()
  const { review, completedAt } = session
  const phrases = words.value.session
  if (completedAt === null) return null
  return (
    <Section title={phrases.review}>
      {review === null ? (
        <p class="small">{phrases.notReviewed}</p>
      ) : (
        <div class="review">
          <Badge tone={review.decision === 'Pass' ? 'good' : 'bad'}>
            {words.value.result[review.decision]}
          </Badge>{' '}
          <span>{fill(phrases.reviewedBy, { by: review.by })}</span> <Time at={review.reviewedAt} isExact />
          {review.note !== null && <blockquote dir="auto">{review.note}</blockquote>}
        </div>
      )}
      {may('reviewSession') && <ReviewForm session={session} onReviewed={onReviewed} />}
    </Section>
  )
}

/** Nothing is decided by accident: what is chosen at first is what stands already. */
function ReviewForm({ session: reviewed, onReviewed }: ReviewSectionProps) {
  const { words, calls, tell } = useConsole()
  const { verificationSessionId, verificationResult, review } = reviewed
  const [decision, setDecision] = useState<'Pass' | 'Fail'>(review?.decision ?? verificationResult ?? 'Fail')
  const [note, setNote] = useState('')
  const doing = useDoing()
  const { session, result, told } = words.value
  const save = () =>
    doing.run(async () => {
      const written = note.trim() === '' ? {} : { note: note.trim() }
      await calls.configuration.reviewSession({ verificationSessionId, decision, ...written })
      setNote('')
      tell(told.saved)
      onReviewed()
    })
  return (
    <Form onSubmit={save} problem={doing.problem} label={session.review}>
      <p class="small">{session.reviewLead}</p>
      <SelectField
        label={session.decision}
        value={decision}
        options={[
          ['Pass', result.Pass],
          ['Fail', result.Fail],
        ]}
        onChange={setDecision}
      />
      <TextField
        label={session.note}
        hint={session.noteHint}
        value={note}
        onInput={setNote}
        at="note"
        lines={3}
        maxLength={noteMaximum}
      />
      <div class="buttons">
        <Submit isBusy={doing.isBusy}>{session.reviewButton}</Submit>
      </div>
    </Form>
  )
}
