import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { SelectField } from '#web/console/ui/field.tsx'
import { fill } from '#web/wording/fill.ts'

interface NotThisPersonProps {
  readonly externalId: string
  readonly collectionId: string
  readonly faceId: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** A dialog for a face that has the wrong external id: removes the id or erases the face. */
export function NotThisPerson({ externalId, collectionId, faceId, onDone, onClose }: NotThisPersonProps) {
  const { words, calls, tell } = useConsole()
  const [choice, setChoice] = useState<'unname' | 'delete'>('unname')
  const { person, feedback } = words.value
  const isDeletion = choice === 'delete'
  return (
    <Confirm
      title={fill(person.notAsk, { id: externalId })}
      verb={person.not}
      isDangerous={isDeletion}
      onClose={onClose}
      onConfirm={async () => {
        if (isDeletion) await calls.recognition.deleteFace({ collectionId, faceId })
        else await calls.recognition.updateFace({ collectionId, faceId, externalId: null })
        tell(feedback.done)
        onDone()
      }}
    >
      <p>
        <code dir="ltr">{faceId}</code>
      </p>
      <SelectField
        label={person.notWhat}
        value={choice}
        options={[
          ['unname', person.unname],
          ['delete', person.deleteFace],
        ]}
        hint={isDeletion ? person.deleteHint : person.unnameHint}
        onChange={setChoice}
      />
    </Confirm>
  )
}
