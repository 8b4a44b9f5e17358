import { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import type { Account } from '#web/console/core/account.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useDraft } from '#web/console/core/use-draft.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { CheckField, FieldGroup, SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Id } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { SaveBar } from '#web/console/ui/save-bar.tsx'
import { type AccountForm, changesOf, readAccount } from './account-form.ts'
import { LogoField } from './logo-field.tsx'
import { ThemePreview } from './theme-preview.tsx'

/** The colour picker's initial colour, which is the default accent. */
const firstAccent = '#0b5fcc'

/** The account's name, appearance and limits. */
export function AccountSettings() {
  const { words, calls } = useConsole()
  const may = useMay()
  const found = useAccountData(() => calls.configuration.getAccount())
  const { settings, shell } = words.value
  const account = found.value?.account
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {!may('updateAccount') && <p class="note">{shell.notYours}</p>}
      {account !== undefined && (
        <>
          <p class="under-head">
            {settings.id} <Id value={account.accountId} />
          </p>
          <AccountFields account={account} onSaved={found.set} />
        </>
      )}
    </>
  )
}

const isSame = (one: AccountForm, other: AccountForm) => JSON.stringify(one) === JSON.stringify(other)

interface AccountFieldsProps {
  readonly account: Account
  readonly onSaved: (answer: { account: Account }) => void
}

function AccountFields({ account, onSaved }: AccountFieldsProps) {
  const { words, calls, membership, tell } = useConsole()
  const may = useMay()
  const before = readAccount(account)
  const { draft: form, isChanged, change: setForm, discard, keep } = useDraft(before, isSame)
  const doing = useDoing()
  const { settings, feedback, action } = words.value
  const set = (changes: Partial<AccountForm>) => setForm({ ...form, ...changes })
  const text = (name: keyof AccountForm, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      value={form[name]}
      onInput={(value) => set({ [name]: value })}
      at={name}
    />
  )
  const save = () =>
    doing.run(async () => {
      const saved = await calls.configuration.updateAccount(changesOf(before, form))
      keep(form)
      onSaved(saved)
      tell(feedback.saved)
      await membership.ask()
    })
  return (
    <Form onSubmit={save} problem={doing.problem} class="form wide" label={settings.tabs.account}>
      <div class="two-columns">
        <div>
          {text('name', settings.name, settings.nameHint)}
          {text('displayName', settings.displayName, settings.displayHint)}
          {text('supportUrl', settings.support, settings.supportHint)}
          {text('attemptLimit', settings.attempts, settings.attemptsHint)}
          {text('secondOpinionPercent', settings.opinions, settings.opinionsHint)}
          <TextField
            label={settings.embed}
            hint={settings.embedHint}
            value={form.embedOrigins}
            onInput={(embedOrigins) => set({ embedOrigins })}
            at="embedOrigins"
            lines={3}
            isCode
          />
          <LookFields form={form} set={set} />
          <LogoField account={account} onSaved={onSaved} />
          <p class="small">{settings.retention}</p>
        </div>
        <ThemePreview account={account} form={form} />
      </div>
      {may('updateAccount') && (
        <SaveBar verb={action.save} isBusy={doing.isBusy} isChanged={isChanged} onDiscard={discard} />
      )}
    </Form>
  )
}

interface LookFieldsProps {
  readonly form: AccountForm
  readonly set: (changes: Partial<AccountForm>) => void
}

function LookFields({ form, set }: LookFieldsProps) {
  const { words } = useConsole()
  const { settings } = words.value
  const house = ['', settings.house] as const
  return (
    <FieldGroup legend={settings.look}>
      <CheckField
        label={settings.ownAccent}
        checked={form.accent !== ''}
        onChange={(isOwn) => set({ accent: isOwn ? firstAccent : '' })}
      />
      {form.accent !== '' && (
        <TextField
          label={settings.accent}
          type="color"
          value={form.accent}
          onInput={(accent) => set({ accent })}
          at="theme/accent"
        />
      )}
      <TextField
        label={settings.radius}
        hint={settings.radiusHint}
        type="number"
        value={form.radius}
        onInput={(radius) => set({ radius })}
        at="theme/radius"
      />
      <SelectField
        label={settings.font}
        value={form.font}
        options={[house, ...themeFonts.map((one) => [one, settings.fonts[one]] as const)]}
        onChange={(font) => set({ font })}
        at="theme/font"
      />
      <SelectField
        label={settings.mode}
        value={form.mode}
        options={[house, ...themeModes.map((one) => [one, settings.modes[one]] as const)]}
        onChange={(mode) => set({ mode })}
        at="theme/mode"
      />
    </FieldGroup>
  )
}
