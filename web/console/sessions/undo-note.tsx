import { useEffect } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { fill } from '#web/wording/fill.ts'

/** A little less than the server's, so that a press in the last moment still counts. */
const offeredMilliseconds = 9500

/** A decision that can be taken back. */
export interface Decided {
  readonly id: string
  /** The name of the review that it made. */
  readonly reviewedAt: string
  readonly decision: 'Pass' | 'Fail'
}

interface UndoNoteProps {
  readonly decided: Decided
  readonly isBusy: boolean
  readonly onUndo: () => void
  readonly onOver: () => void
}

/** Offers the way back from the last decision, as long as there is one. */
export function UndoNote({ decided, isBusy, onUndo, onOver }: UndoNoteProps) {
  const { words } = useConsole()
  const { undoing, result } = words.value
  useEffect(() => {
    const timer = setTimeout(onOver, offeredMilliseconds)
    return () => clearTimeout(timer)
  }, [decided])
  return (
    <div class="note undo" role="status">
      <span>{fill(undoing.undoing, { result: result[decided.decision] })}</span>{' '}
      <Button isBusy={isBusy} onPress={onUndo}>
        {undoing.undo}
      </Button>
    </div>
  )
}
