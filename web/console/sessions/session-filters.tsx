import { useState } from 'preact/hooks'
import { failedReasons, sessionStates } from '#shared/contract/sessions/session.ts'
import { visitBrowsers, visitDevices } from '#shared/contract/sessions/session-device.ts'
import { endOutcomes, milestones, sessionOutcomes } from '#shared/contract/sessions/session-ending.ts'
import { idBeginning, sessionSources } from '#shared/contract/sessions/session-list.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { fill } from '#web/wording/fill.ts'
import { type FilterName, type Filters, localOf, momentOf, readBeginning } from './filters.ts'

/** From this width on, the filters leave enough room for the list below. */
const roomy = '(min-width: 48rem)'

type Changes = Partial<Record<FilterName, string | null>>

/** The list's filters. Every change is immediately written to the address. */
export function SessionFilters({ filters }: { filters: Filters }) {
  const { words, navigation } = useConsole()
  const { sessions, action, overview } = words.value
  const [isOpen, setOpen] = useState(Object.keys(filters).length > 0 && matchMedia(roomy).matches)
  const set = (changes: Changes) =>
    navigation.go(withQuery(navigation.address.value, changes as Record<string, string | null>))
  const quick = (label: string, changes: Partial<Record<FilterName, string>>) => {
    const isOn = Object.entries(changes).every(([name, value]) => filters[name as FilterName] === value)
    const off = Object.fromEntries(Object.keys(changes).map((name) => [name, null]))
    return (
      <Button key={label} kind="quiet" pressed={isOn} onPress={() => set(isOn ? off : changes)}>
        {label}
      </Button>
    )
  }
  return (
    <div class="filters">
      <fieldset class="chips" aria-label={sessions.chips}>
        {[...endOutcomes, 'open' as const].map((outcome) => quick(overview[outcome], { outcome }))}
        <Button kind="quiet" pressed={isOpen} onPress={() => setOpen(!isOpen)}>
          {action.filter}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button kind="quiet" onPress={() => navigation.go({ page: 'sessions' })}>
            {action.clear}
          </Button>
        )}
      </fieldset>
      {isOpen && <Fields filters={filters} set={set} />}
    </div>
  )
}

function Fields({ filters, set }: { filters: Filters; set: (changes: Changes) => void }) {
  const { words } = useConsole()
  const { sessions, action, state, reason, source, device, browser, overview } = words.value
  const { open, passed, failed, left, expired, consented, firstPicture, submitted } = overview
  const choose = (
    name: FilterName,
    label: string,
    named: Readonly<Record<string, string>>,
    options: readonly string[],
  ) => (
    <SelectField
      label={label}
      value={filters[name] ?? ''}
      options={[['', action.all], ...options.map((option) => [option, named[option] ?? option] as const)]}
      onChange={(value) => set({ [name]: value })}
    />
  )
  const type = (name: FilterName, label: string) => (
    <TypedFilter label={label} value={filters[name] ?? ''} onSet={(value) => set({ [name]: value })} />
  )
  const when = (name: FilterName, label: string) => (
    <MomentFilter label={label} value={filters[name]} onSet={(value) => set({ [name]: value })} />
  )
  return (
    <div class="fields">
      <TypedFilter
        label={sessions.idBegins}
        value={filters.idBeginsWith ?? ''}
        read={readBeginning}
        fault={fill(sessions.idTooShort, { n: idBeginning.minimum })}
        onSet={(idBeginsWith) => set({ idBeginsWith })}
      />
      {choose('outcome', overview.outcome, { open, passed, failed, left, expired }, sessionOutcomes)}
      {choose('state', sessions.state, state, sessionStates)}
      {choose('failedReason', sessions.reasons, reason, failedReasons)}
      {choose('source', sessions.source, source, sessionSources)}
      {choose('device', overview.split.device, device, visitDevices)}
      {choose('browser', overview.split.browser, browser, visitBrowsers)}
      {choose('reached', overview.step, { consented, firstPicture, submitted }, milestones)}
      <VerificationFilter
        value={filters.verificationId ?? ''}
        onChange={(verificationId) => set({ verificationId })}
      />
      {type('externalId', sessions.person)}
      {type('correlationId', sessions.correlation)}
      {when('createdFrom', sessions.from)}
      {when('createdTo', sessions.to)}
    </div>
  )
}

function VerificationFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { words, calls } = useConsole()
  const found = useAccountData(() => calls.configuration.getAllVerifications())
  const known =
    found.value?.verifications.map(({ verificationId, name }) => [verificationId, name] as const) ?? []
  const isKnown = value === '' || known.some(([id]) => id === value)
  const options = [
    ['', words.value.action.all] as const,
    ...known,
    ...(isKnown ? [] : [[value, value] as const]),
  ]
  return (
    <SelectField
      label={words.value.sessions.verification}
      value={value}
      options={options}
      onChange={onChange}
    />
  )
}

interface TypedFilterProps {
  readonly label: string
  readonly value: string
  readonly onSet: (value: string) => void
  /** Parses the filter. Returns undefined for invalid text, in which case `fault` is shown. */
  readonly read?: (typed: string) => string | undefined
  readonly fault?: string
}

/** A text filter that is applied on Enter or when the field loses focus. */
function TypedFilter({ label, value, onSet, read = trimmed, fault }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const [isWrong, setWrong] = useState(false)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
    setWrong(false)
  }
  const send = () => {
    const found = read(typed)
    setWrong(found === undefined)
    if (found !== undefined && found !== value) onSet(found)
  }
  return (
    <Form class="inline" onSubmit={send} label={label}>
      <TextField
        label={label}
        value={typed}
        onInput={setTyped}
        type="search"
        error={isWrong ? fault : undefined}
      />
      <Submit>{'→'}</Submit>
    </Form>
  )
}

function trimmed(typed: string): string {
  return typed.trim()
}

interface MomentFilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly onSet: (moment: string | null) => void
}

/** A time in the viewer's time zone. */
function MomentFilter({ label, value, onSet }: MomentFilterProps) {
  return (
    <div class="field">
      <label>
        {label}
        <input
          type="datetime-local"
          value={localOf(value)}
          onChange={(event) => onSet(momentOf(event.currentTarget.value) || null)}
        />
      </label>
    </div>
  )
}
