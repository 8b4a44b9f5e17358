import { useState } from 'preact/hooks'
import type { getPasskeys } from '#shared/contract/console/passkeys.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { makePasskey } from '#web/console/core/passkey.ts'
import { passkeyHindranceOf } from '#web/console/core/passkey-place.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { PasskeyHindrance } from '#web/console/sign-in/passkey-hindrance.tsx'
import { CeremonyNote } from '#web/console/sign-in/sign-in-page.tsx'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { hasFaults } from '#web/console/ui/faults.ts'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Maybe, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'

type Passkey = ResultOf<typeof getPasskeys>['passkeys'][number]
type PasskeyDialog = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | null

/** The signed-in person's passkeys, which can be added, renamed and deleted. */
export function Passkeys() {
  const { words, calls } = useConsole()
  const [asked, setAsked] = useState<PasskeyDialog>(null)
  const found = useLoaded('own', () => calls.own.getPasskeys())
  const { passkeys } = words.value
  const rows = found.value?.passkeys ?? []
  const close = () => setAsked(null)
  const shared = { onClose: close, onDone: found.reload }
  return (
    <Section
      title={passkeys.title}
      aside={
        passkeyHindranceOf(window) !== 'browser' && (
          <Button kind="primary" onPress={() => setAsked({ what: 'add' })}>
            {passkeys.add}
          </Button>
        )
      }
    >
      <p class="small">{passkeys.lead}</p>
      <PasskeyHindrance />
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <PasskeyTable rows={rows} isBusy={found.value === undefined} onAsk={setAsked} />
      {rows.length === 1 && <p class="small">{passkeys.last}</p>}
      {asked?.what === 'add' && <Adding {...shared} />}
      {asked?.what === 'rename' && <Renaming passkey={asked.passkey} {...shared} />}
      {asked?.what === 'remove' && <Removing passkey={asked.passkey} {...shared} />}
    </Section>
  )
}

interface PasskeyTableProps {
  readonly rows: readonly Passkey[]
  readonly isBusy: boolean
  readonly onAsk: (asked: PasskeyDialog) => void
}

function PasskeyTable({ rows, isBusy, onAsk }: PasskeyTableProps) {
  const { words } = useConsole()
  const { passkeys, action } = words.value
  const nameOf = ({ name }: Passkey) => name ?? passkeys.unnamed
  const time = (at: string | null) => (at === null ? <Maybe value={null} /> : <Time at={at} />)
  return (
    <Table
      caption={passkeys.caption}
      rows={rows}
      rowKey={({ passkeyId }) => passkeyId}
      isBusy={isBusy}
      columns={[
        { name: 'name', head: passkeys.name, cell: (passkey) => <bdi>{nameOf(passkey)}</bdi> },
        { name: 'made', head: passkeys.made, cell: ({ made }) => time(made) },
        { name: 'used', head: passkeys.lastUsed, cell: ({ lastUsed }) => time(lastUsed) },
        {
          name: 'do',
          head: action.edit,
          isQuiet: true,
          cell: (passkey) => (
            <span class="buttons">
              <Button
                kind="quiet"
                label={`${passkeys.rename} ${nameOf(passkey)}`}
                onPress={() => onAsk({ what: 'rename', passkey })}
              >
                {passkeys.rename}
              </Button>
              {rows.length > 1 && (
                <Button
                  kind="quiet"
                  label={`${action.remove} ${nameOf(passkey)}`}
                  onPress={() => onAsk({ what: 'remove', passkey })}
                >
                  {action.remove}
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  )
}

interface AskingProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks for an existing passkey if none was used recently, then creates a new one. */
function Adding({ onClose, onDone }: AskingProps) {
  const { words, calls, tell } = useConsole()
  const [typed, setTyped] = useState('')
  const doing = useDoing()
  const { passkeys, action } = words.value
  const add = () =>
    doing.run(async () => {
      const name = typed.trim()
      const { ceremony, options } = await calls.own.beginPasskey({})
      await calls.own.addPasskey({ ceremony, response: await makePasskey(options), name })
      tell(fill(passkeys.added, { name }))
      onDone()
      onClose()
    })
  return (
    <Dialog title={passkeys.add} onClose={onClose}>
      <Form onSubmit={add} problem={hasFaults(doing.problem) ? doing.problem : undefined}>
        <p>{passkeys.addLead}</p>
        <TextField
          label={passkeys.name}
          hint={passkeys.nameHint}
          value={typed}
          onInput={setTyped}
          maxLength={60}
          at="name"
          autoFocus
        />
        <CeremonyNote problem={doing.problem} title={passkeys.refused} advice={passkeys.refusedAdvice} />
        <div class="buttons">
          <Submit isBusy={doing.isBusy}>{passkeys.add}</Submit>
          <Button onPress={onClose}>{action.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  )
}

function Renaming({ passkey, onClose, onDone }: AskingProps & { passkey: Passkey }) {
  const { words, calls, tell } = useConsole()
  const [name, setName] = useState(passkey.name ?? '')
  const { passkeys, action, feedback } = words.value
  const rename = async () => {
    await calls.own.renamePasskey({ passkeyId: passkey.passkeyId, name: name.trim() })
    tell(feedback.saved)
    onDone()
  }
  return (
    <Confirm title={passkeys.renameTitle} verb={action.save} onClose={onClose} onConfirm={rename}>
      <TextField label={passkeys.name} value={name} onInput={setName} maxLength={60} at="name" autoFocus />
    </Confirm>
  )
}

function Removing({ passkey, onClose, onDone }: AskingProps & { passkey: Passkey }) {
  const { words, calls, tell } = useConsole()
  const { passkeys, action, feedback } = words.value
  const remove = async () => {
    await calls.own.removePasskey({ passkeyId: passkey.passkeyId })
    tell(feedback.removed)
    onDone()
  }
  return (
    <Confirm
      title={fill(passkeys.removeAsk, { name: passkey.name ?? passkeys.unnamed })}
      verb={action.remove}
      isDangerous
      onClose={onClose}
      onConfirm={remove}
    >
      <p>{passkeys.removeLead}</p>
    </Confirm>
  )
}
