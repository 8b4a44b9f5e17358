import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { fill } from '#web/wording/fill.ts'
import { Button, Form, Submit } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { ProblemNote } from './problem-note.tsx'

interface ConfirmProps {
  readonly title: string
  readonly verb: string
  readonly isDangerous?: boolean
  /** What has to be written once more first: for what is gone with all that is in it. */
  readonly retype?: string
  /** Done at the press of the verb; the dialog closes when it has come to an end, and stays with what went wrong. */
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks before something is done that cannot be taken back, or takes a few words first. */
export function Confirm(props: ConfirmProps) {
  const { title, verb, isDangerous = false, retype, onConfirm, onClose, children } = props
  const { words } = useConsole()
  const doing = useDoing()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { action } = words.value
  const confirm = () =>
    doing.run(async () => {
      setWrong(retype !== undefined && typed.trim() !== retype)
      if (retype !== undefined && typed.trim() !== retype) return
      await onConfirm()
      onClose()
    })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={confirm}>
        {children}
        {retype !== undefined && (
          <TextField
            label={action.retype}
            value={typed}
            onInput={setTyped}
            error={isWrong ? fill(action.retypeFirst, { name: retype }) : undefined}
          />
        )}
        <ProblemNote problem={doing.problem} />
        <div class="buttons">
          <Submit kind={isDangerous ? 'danger' : 'primary'} isBusy={doing.isBusy}>
            {verb}
          </Submit>
          <Button onPress={onClose}>{action.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  )
}
