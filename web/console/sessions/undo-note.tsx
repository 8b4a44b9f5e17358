import { useEffect } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { fill } from '#web/wording/fill.ts'

/** Slightly less than the server's limit, so that a last-moment click still works. */
const offeredMilliseconds = 9500

/** A review that can be withdrawn. */
export interface WithdrawableReview {
  readonly id: string
  /** Identifies the review. */
  readonly reviewedAt: string
  readonly decision: 'Pass' | 'Fail'
}

interface UndoNoteProps {
  readonly decided: WithdrawableReview
  readonly isBusy: boolean
  readonly onUndo: () => void
  readonly onOver: () => void
}

/** Offers to withdraw the last review for as long as that is possible. */
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
