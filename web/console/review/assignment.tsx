import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole, useMay, useMe } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Maybe } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'

interface AssignmentProps {
  readonly session: ListedSession
  readonly onAssigned: () => void
}

/** The assigned reviewer, and buttons to take a session or to give it back. */
export function Assignment({ session: { verificationSessionId, assignedTo }, onAssigned }: AssignmentProps) {
  const { words, calls } = useConsole()
  const may = useMay()
  const { name } = useMe()
  const doing = useDoing()
  const { review } = words.value
  const assign = (reviewer: string | null) =>
    doing.run(async () => {
      await calls.configuration.assignReview({ verificationSessionIds: [verificationSessionId], reviewer })
      onAssigned()
    })
  return (
    <>
      <Maybe value={assignedTo} />{' '}
      {may('assignReview') && (
        <Button kind="quiet" isBusy={doing.isBusy} onPress={() => assign(assignedTo === name ? null : name)}>
          {assignedTo === name ? review.unassign : review.take}
        </Button>
      )}
      <ProblemNote problem={doing.problem} />
    </>
  )
}
