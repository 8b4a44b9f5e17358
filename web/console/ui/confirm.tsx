import type { ComponentChildren } from 'preact'
import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Form, Submit } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

interface ConfirmProps {
  readonly title: string
  readonly verb: string
  readonly isDangerous?: boolean
  /** Done at the press of the verb; the dialog closes when it has come to an end, and stays with what went wrong. */
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** Asks before something is done that cannot be taken back, or takes a few words first. */
export function Confirm({ title, verb, isDangerous = false, onConfirm, onClose, children }: ConfirmProps) {
  const { words } = useConsole()
  const doing = useDoing()
  const confirm = () =>
    doing.run(async () => {
      await onConfirm()
      onClose()
    })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={confirm}>
        {children}
        <ProblemNote problem={doing.problem} />
        <div class="buttons">
          <Submit kind={isDangerous ? 'danger' : 'primary'} isBusy={doing.isBusy}>
            {verb}
          </Submit>
          <Button onPress={onClose}>{words.value.action.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  )
}
