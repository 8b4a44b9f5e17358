import type { ComponentChildren } from 'preact'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { fill } from '#web/wording/fill.ts'

interface ErasePersonProps {
  readonly externalId: string
  readonly onClose: () => void
  /** Gets what came of it, in words. */
  readonly onErased: (words: string) => void
  /** What goes. */
  readonly children: ComponentChildren
}

/** Asks before everything of a person is erased, and erases it. */
export function ErasePerson({ externalId, onClose, onErased, children }: ErasePersonProps) {
  const { words, calls } = useConsole()
  const { collections } = words.value
  const erase = async () => {
    const gone = await calls.configuration.deletePerson({ externalId })
    const { facesDeleted, sessionsDeleted, deliveriesDeleted } = gone
    const counts = { faces: facesDeleted, sessions: sessionsDeleted, deliveries: deliveriesDeleted }
    onErased(fill(collections.erased, counts))
  }
  return (
    <Confirm
      title={collections.personAsk}
      verb={collections.erase}
      isDangerous
      retype={externalId}
      onClose={onClose}
      onConfirm={erase}
    >
      <p>
        <bdi class="strong">{externalId}</bdi>
      </p>
      {children}
    </Confirm>
  )
}
