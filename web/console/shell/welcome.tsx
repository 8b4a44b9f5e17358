import { useState } from 'preact/hooks'
import { useConsole, useMay, useMe } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { putOff, readPutOff } from './put-off.ts'

/** The console's first question: which account name should visitors see? */
export function Welcome() {
  const { words, calls, membership } = useConsole()
  const may = useMay()
  const { accounts, accountId, environment } = useMe()
  const [putOffFor, setPutOffFor] = useState(() => readPutOff(sessionStorage))
  const [name, setName] = useState('')
  const doing = useDoing()
  const account = accounts.find((one) => one.accountId === accountId)
  if (!account?.hasDefaultName || environment === 'test' || !may('updateAccount')) return null
  if (putOffFor === accountId) return null
  const { welcome, settings } = words.value
  const later = () => {
    putOff(sessionStorage, account.accountId)
    setPutOffFor(account.accountId)
  }
  const save = () =>
    doing.run(async () => {
      await calls.configuration.updateAccount({ name: name.trim() })
      await membership.ask()
    })
  return (
    <Dialog title={welcome.title} onClose={later}>
      <Form onSubmit={save} problem={doing.problem}>
        <p>{welcome.lead}</p>
        <TextField label={settings.name} value={name} onInput={setName} maxLength={200} at="name" autoFocus />
        <div class="buttons">
          <Submit isBusy={doing.isBusy}>{welcome.save}</Submit>
          <Button onPress={later}>{welcome.later}</Button>
        </div>
      </Form>
    </Dialog>
  )
}
