import { useState } from 'preact/hooks'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { DenyDialog } from './deny-dialog.tsx'

interface FaceActionsProps {
  readonly id: string
  readonly denyCollectionIds: readonly string[]
}

/** A reviewer's actions on a session's face: find its other sessions, and stop it from passing. */
export function FaceActions({ id, denyCollectionIds }: FaceActionsProps) {
  const { words } = useConsole()
  const may = useMay()
  const [isDenying, setDenying] = useState(false)
  const { face } = words.value
  if (!may('getSimilarSessions')) return null
  return (
    <div class="buttons">
      <Link to={{ page: 'sessions', parts: [id, 'face'] }} class="press quiet">
        {face.similar}
      </Link>
      {denyCollectionIds.length > 0 && (
        <Button kind="danger" onPress={() => setDenying(true)}>
          {face.deny}
        </Button>
      )}
      {isDenying && (
        <DenyDialog id={id} collectionIds={denyCollectionIds} onClose={() => setDenying(false)} />
      )}
    </div>
  )
}
