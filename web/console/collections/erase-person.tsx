import type { ComponentChildren } from 'preact'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { fill } from '#web/wording/fill.ts'

interface ErasePersonProps {
  readonly externalId: string
  readonly onClose: () => void
  /** Receives a sentence that describes the outcome. */
  readonly onErased: (words: string) => void
  /** Describes the data that will be erased. */
  readonly children: ComponentChildren
}

/** Asks for confirmation, then erases all of a person's data. */
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
