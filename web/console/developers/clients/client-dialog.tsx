import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { CheckField, SelectField, TextField } from '#web/console/ui/field.tsx'
import { type ClientForm, changeOf, creationOf, type OpenidClient, readClient } from './client-form.ts'

interface ClientDialogProps {
  /** Undefined for a new client. */
  readonly client: OpenidClient | undefined
  readonly verifications: readonly { readonly verificationId: string; readonly name: string }[]
  readonly onClose: () => void
  /** Receives the name and secret of a new client with a secret; null in all other cases. */
  readonly onSaved: (made: { readonly name: string; readonly secret: string } | null) => void
}

/** A dialog for creating or editing a client. */
export function ClientDialog({ client, verifications, onClose, onSaved }: ClientDialogProps) {
  const { words, calls } = useConsole()
  const [form, setForm] = useState(() =>
    client === undefined ? emptyForm(verifications) : readClient(client),
  )
  const { openidClients, action } = words.value
  const set = (change: Partial<ClientForm>) => setForm({ ...form, ...change })
  const save = async () => {
    if (client !== undefined) {
      await calls.configuration.updateOpenidClient(changeOf(client, form))
      return onSaved(null)
    }
    const { clientSecret } = await calls.configuration.createOpenidClient(creationOf(form))
    onSaved(clientSecret === undefined ? null : { name: form.name.trim(), secret: clientSecret })
  }
  return (
    <Confirm
      title={client === undefined ? openidClients.new : action.edit}
      verb={client === undefined ? action.create : action.save}
      onClose={onClose}
      onConfirm={save}
    >
      <Fields form={form} verifications={verifications} isNew={client === undefined} onChange={set} />
    </Confirm>
  )
}

interface FieldsProps {
  readonly form: ClientForm
  readonly verifications: ClientDialogProps['verifications']
  readonly isNew: boolean
  readonly onChange: (change: Partial<ClientForm>) => void
}

function Fields({ form, verifications, isNew, onChange: set }: FieldsProps) {
  const { words } = useConsole()
  const { openidClients, config } = words.value
  return (
    <>
      <TextField
        label={openidClients.name}
        hint={openidClients.nameHint}
        value={form.name}
        onInput={(name) => set({ name })}
        maxLength={100}
        at="name"
        autoFocus
      />
      <SelectField
        label={openidClients.verification}
        value={form.verificationId}
        options={verifications.map((one) => [one.verificationId, one.name] as const)}
        onChange={(verificationId) => set({ verificationId })}
        at="verificationId"
      />
      <TextField
        label={openidClients.redirectUris}
        hint={`${openidClients.redirectUrisHint} ${config.addressHint}`}
        value={form.redirectUris}
        onInput={(redirectUris) => set({ redirectUris })}
        lines={3}
        at="redirectUris"
        takesAll
        isCode
      />
      <Rights form={form} isNew={isNew} onChange={set} />
    </>
  )
}

/** Fields for the permitted claims and the type of client. */
function Rights({ form, isNew, onChange: set }: Omit<FieldsProps, 'verifications'>) {
  const { words } = useConsole()
  const { openidClients } = words.value
  return (
    <>
      <TextField
        label={openidClients.ages}
        hint={openidClients.agesHint}
        value={form.ageThresholds}
        onInput={(ageThresholds) => set({ ageThresholds })}
        at="ageThresholds"
        takesAll
      />
      <CheckField
        label={openidClients.estimate}
        checked={form.mayAskAgeEstimate}
        onChange={(mayAskAgeEstimate) => set({ mayAskAgeEstimate })}
      />
      {isNew && (
        <CheckField
          label={openidClients.isPublic}
          checked={form.isPublic}
          onChange={(isPublic) => set({ isPublic })}
        />
      )}
    </>
  )
}

function emptyForm(verifications: ClientDialogProps['verifications']): ClientForm {
  const [first] = verifications
  return {
    name: '',
    verificationId: first?.verificationId ?? '',
    redirectUris: '',
    ageThresholds: '',
    mayAskAgeEstimate: false,
    isPublic: false,
  }
}
