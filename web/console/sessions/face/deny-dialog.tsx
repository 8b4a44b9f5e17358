import { useState } from 'preact/hooks'
import { noteMaximum } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'

interface DenyDialogProps {
  readonly id: string
  /** At least one. */
  readonly collectionIds: readonly string[]
  readonly onClose: () => void
}

const usualDays = '365'

/** Adds a session's face to a collection of faces that must not pass. */
export function DenyDialog({ id, collectionIds, onClose }: DenyDialogProps) {
  const { words, calls, tell } = useConsole()
  const { face, session } = words.value
  const [collectionId, setCollectionId] = useState(collectionIds[0]!)
  const [note, setNote] = useState('')
  const [days, setDays] = useState(usualDays)
  const deny = async () => {
    const about = note.trim() === '' ? {} : { note: note.trim() }
    await calls.configuration.denyFace({
      verificationSessionId: id,
      collectionId,
      expiresInDays: Number(days),
      ...about,
    })
    tell(face.denied)
  }
  return (
    <Confirm title={face.deny} verb={face.deny} isDangerous onClose={onClose} onConfirm={deny}>
      <p>{face.denyLead}</p>
      <SelectField
        label={face.collection}
        value={collectionId}
        options={collectionIds.map((one) => [one, one] as const)}
        at="collectionId"
        onChange={setCollectionId}
      />
      <TextField label={face.days} type="number" value={days} onInput={setDays} at="expiresInDays" />
      <TextField
        label={session.note}
        value={note}
        onInput={setNote}
        at="note"
        lines={2}
        maxLength={noteMaximum}
      />
    </Confirm>
  )
}
