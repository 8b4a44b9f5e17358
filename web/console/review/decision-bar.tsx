import type { RefObject } from 'preact'
import { noteMaximum } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { causedBy } from '#web/console/sessions/caused-by.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Key } from '#web/console/ui/pieces.tsx'
import type { useQueue } from './use-queue.ts'

interface DecisionBarProps {
  readonly queue: Pick<ReturnType<typeof useQueue>, 'note' | 'setNote' | 'doing' | 'move' | 'decide'>
  /** How many endpoints a decision would be sent to; undefined until that is known. */
  readonly endpoints: number | undefined
  readonly keepsPictures: boolean
  readonly mayDecide: boolean
  readonly isSecond: boolean
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** The note, what a decision causes, and the decision itself. Neither decision looks like the expected one. */
export function DecisionBar(props: DecisionBarProps) {
  const { queue, endpoints, keepsPictures, mayDecide, isSecond, field } = props
  const { words } = useConsole()
  const { session, review } = words.value
  const { note, setNote, doing, move, decide } = queue
  return (
    <>
      {mayDecide && !isSecond && (
        <div class="field decision-note">
          <label for="queue-note">{session.note}</label>
          <textarea
            ref={field}
            id="queue-note"
            rows={1}
            maxLength={noteMaximum}
            value={note}
            aria-describedby="queue-note-hint"
            onInput={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
          <span class="hint" id="queue-note-hint">
            {session.noteHint} {review.noteKeys}
          </span>
        </div>
      )}
      <div class="decision-row">
        <div class="buttons">
          {mayDecide && (
            <>
              <Button isBusy={doing.isBusy} onPress={() => decide('Pass')}>
                {review.pass} <Key name="p" />
              </Button>
              <Button isBusy={doing.isBusy} onPress={() => decide('Fail')}>
                {review.fail} <Key name="f" />
              </Button>
            </>
          )}
          <Button kind="quiet" onPress={() => move(-1)}>
            {review.previous} <Key name="k" />
          </Button>
          <Button kind="quiet" onPress={() => move(1)}>
            {review.next} <Key name="j" />
          </Button>
        </div>
        {mayDecide && isSecond && (
          <p class="small causes">
            {review.secondLead} {keepsPictures && review.picturesGoNow}
          </p>
        )}
        {mayDecide && !isSecond && endpoints !== undefined && (
          <p class="small causes">{causedBy(words.value, endpoints, keepsPictures)}</p>
        )}
      </div>
    </>
  )
}
