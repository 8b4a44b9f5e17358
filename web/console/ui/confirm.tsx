import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Problem } from '#shared/problem.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { fill } from '#web/wording/fill.ts'
import { Button, Submit } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

interface ConfirmProps {
  readonly title: string
  readonly verb: string
  readonly isDangerous?: boolean
  /** Text that the person must type to confirm. Used for deletions that include everything inside. */
  readonly retype?: string
  /** Runs on confirmation. The dialog closes once this has finished, but stays open after an error or if the
   * result is `stay`. */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks for confirmation before an irreversible action, or for a short input. */
export function Confirm(props: ConfirmProps) {
  const { title, verb, isDangerous = false, retype, onConfirm, onClose, children } = props
  const { words } = useConsole()
  const doing = useDoing()
  const [typed, setTyped] = useState('')
  const { action } = words.value
  const confirm = () =>
    doing.run(async () => {
      if (retype !== undefined && typed.trim() !== retype)
        throw Problem.at('#/retype', fill(action.retypeFirst, { name: retype }))
      if ((await onConfirm()) !== 'stay') onClose()
    })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={confirm} problem={doing.problem}>
        {children}
        {retype !== undefined && (
          <TextField label={action.retype} value={typed} onInput={setTyped} at="retype" />
        )}
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
