import { useState } from 'preact/hooks'
import { type ListedSession, noteMaximum } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { type BulkAction, eligible, perform } from './bulk-actions.ts'

interface BulkDialogProps {
  readonly action: BulkAction
  readonly sessions: readonly ListedSession[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Says how many sessions an action applies to and how many it leaves out, before it is done. */
export function BulkDialog({ action, sessions, onClose, onDone }: BulkDialogProps) {
  const { words, calls, tell } = useConsole()
  const { bulk, session, locale } = words.value
  const [note, setNote] = useState('')
  const [reviewer, setReviewer] = useState('')
  const people = useAccountData(
    async () => (await calls.own.getPeople()).people.map(({ name }) => name),
    action === 'assign' ? [] : null,
  )
  const chosen = eligible(action, sessions)
  const leftOut = sessions.length - chosen.length
  const confirm = async () => {
    const done = await perform(calls, action, chosen, { note, reviewer: reviewer === '' ? null : reviewer })
    tell(fill(bulk.done, { n: done, all: chosen.length }))
    onDone()
  }
  return (
    <Confirm
      title={bulk.action[action]}
      verb={bulk.action[action]}
      isDangerous={action === 'fail' || action === 'cancel'}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>{count(locale, bulk.applies, chosen.length)}</p>
      {leftOut > 0 && (
        <p class="note warn">
          {count(locale, bulk.leftOut, leftOut)} {bulk.because[action]}
        </p>
      )}
      {action === 'fail' && (
        <TextField
          label={session.note}
          hint={session.noteHint}
          value={note}
          onInput={setNote}
          at="note"
          lines={2}
          maxLength={noteMaximum}
        />
      )}
      {action === 'assign' && (
        <SelectField
          label={words.value.review.reviewer}
          value={reviewer}
          options={[['', bulk.noOne] as const, ...(people.value ?? []).map((name) => [name, name] as const)]}
          onChange={setReviewer}
        />
      )}
    </Confirm>
  )
}
