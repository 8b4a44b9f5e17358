import { useState } from 'preact/hooks'
import { type ListedSession, noteMaximum } from '#shared/contract/sessions/session-list.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { DecidedReview, FasterReview } from './decided-review.tsx'
import { type Review, saveReview, undoReview } from './reviewing.ts'
import { UndoNote, type WithdrawableReview } from './undo-note.tsx'

interface ReviewSectionProps {
  readonly session: ListedSession
  readonly onReviewed: () => void
}

/** A session's review, or a form for people who are allowed to review it. */
export function ReviewSection({ session, onReviewed }: ReviewSectionProps) {
  const { words } = useConsole()
  const may = useMay()
  const { review, completedAt } = session
  const phrases = words.value.session
  if (completedAt === null) return null
  return (
    <Section title={phrases.review}>
      {review === null ? <p class="small">{phrases.notReviewed}</p> : <DecidedReview review={review} />}
      {may('reviewSession') && <ReviewForm session={session} onReviewed={onReviewed} />}
    </Section>
  )
}

/** Saves and withdraws a review. */
function useDecision(reviewed: ListedSession, onReviewed: () => void) {
  const { words, calls, tell } = useConsole()
  const [note, setNote] = useState('')
  const doing = useDoing()
  const [faster, setFaster] = useState<Review | undefined>(undefined)
  const [decided, setDecided] = useState<WithdrawableReview | undefined>(undefined)
  const { feedback, undoing } = words.value
  const save = (decision: 'Pass' | 'Fail') =>
    doing.run(async () => {
      const saved = await saveReview(calls, reviewed, { decision, note })
      setFaster(saved.faster)
      if (saved.faster !== undefined) return
      setNote('')
      tell(feedback.saved)
      setDecided({ id: reviewed.verificationSessionId, decision, reviewedAt: saved.reviewedAt })
      onReviewed()
    })
  const undo = () =>
    doing.run(async () => {
      if (decided === undefined) return
      setDecided(undefined)
      await undoReview(calls, decided.id, decided.reviewedAt)
      tell(undoing.undone)
      onReviewed()
    })
  const lookAgain = () => {
    setFaster(undefined)
    onReviewed()
  }
  const over = () => setDecided(undefined)
  return { note, setNote, faster, decided, doing, save, undo, over, lookAgain }
}

/** The current decision is preselected, to avoid accidental decisions. */
function ReviewForm({ session: reviewed, onReviewed }: ReviewSectionProps) {
  const { words } = useConsole()
  const { verificationResult, review } = reviewed
  const [decision, setDecision] = useState<'Pass' | 'Fail'>(review?.decision ?? verificationResult ?? 'Fail')
  const { note, setNote, faster, decided, doing, save, undo, over, lookAgain } = useDecision(
    reviewed,
    onReviewed,
  )
  const { session, result, review: phrases } = words.value
  return (
    <Form onSubmit={() => save(decision)} problem={doing.problem} label={session.review}>
      {decided !== undefined && (
        <UndoNote decided={decided} isBusy={doing.isBusy} onUndo={undo} onOver={over} />
      )}
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
      {faster !== undefined && (
        <FasterReview review={faster}>
          <Button onPress={lookAgain}>{phrases.lookAgain}</Button>
        </FasterReview>
      )}
      <div class="buttons">
        <Submit isBusy={doing.isBusy}>{session.reviewButton}</Submit>
      </div>
    </Form>
  )
}
