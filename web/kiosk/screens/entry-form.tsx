import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { KioskWording } from '#web/kiosk/wording/kiosk-wording.ts'
import { Button } from '#web/ui/button.tsx'
import type { IconName } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { count } from '#web/wording/fill.ts'
import { Keypad, type KeypadKind } from './keypad.tsx'

/** A form field and the name of its value. */
export interface EntryField {
  readonly name: string
  readonly label: string
  readonly input?: JSX.IntrinsicElements['input']
}

/** The attributes of a PIN field, which is hidden from view and ignored by password managers. */
export const pinInput = { type: 'password', maxLength: 12, dir: 'ltr', autocomplete: 'off' } as const

interface EntryFormProps {
  readonly screen: string
  readonly icon: IconName
  readonly title: string
  /** An instruction, if the heading is not enough. */
  readonly lead?: string
  readonly words: KioskWording
  readonly fields: readonly EntryField[]
  /** The keys that the page shows. Without them, the device's own keyboard opens. */
  readonly keypad?: KeypadKind
  /** The last entry's error. */
  readonly trouble: string | undefined
  readonly label: string
  readonly busy: boolean
  readonly onEnter: (entered: (name: string) => string) => void
  /** Additional buttons. */
  readonly aside?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A screen with a form. The button is always enabled, and reports invalid fields. */
export function EntryForm(props: EntryFormProps) {
  const { screen, icon, title, lead, words, fields, keypad, trouble, label, busy, aside, children } = props
  const id = `entry-${screen.split(' ')[0]}`
  const { form, current, setCurrent, typed, submit, change } = useEntry(props)
  return (
    <Page
      screen={screen}
      icon={icon}
      title={title}
      layout={keypad === undefined ? undefined : 'with-keys'}
      actions={
        <>
          <Button kind="primary" busy={busy} onPress={() => form.current?.requestSubmit()}>
            {label}
          </Button>
          {aside}
        </>
      }
    >
      {lead !== undefined && <p class="lead">{lead}</p>}
      <form
        id={id}
        ref={form}
        class="code-entry entry"
        onSubmit={submit}
        onKeyDown={sendOnEnter}
        onFocusIn={({ target }) => setCurrent((target as HTMLInputElement).name)}
        autocomplete="off"
      >
        {fields.map(({ name, label: fieldLabel, input }) => (
          <label key={name}>
            <span>{fieldLabel}</span>
            <input
              name={name}
              spellcheck={false}
              inputMode={keypad === undefined ? 'text' : 'none'}
              data-current={keypad !== undefined && name === current}
              aria-invalid={trouble !== undefined}
              aria-describedby={trouble === undefined ? undefined : `${id}-trouble`}
              {...input}
            />
          </label>
        ))}
      </form>
      {trouble !== undefined && (
        <p class="trouble" id={`${id}-trouble`}>
          {trouble}
        </p>
      )}
      {children}
      {keypad !== undefined && <Keys kind={keypad} words={words} typed={typed} onChange={change} />}
    </Page>
  )
}

/** Keeps track of the typed values and the focused field, and handles submission. */
function useEntry({ fields, onEnter }: EntryFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const first = fields[0]!.name
  const [current, setCurrent] = useState(first)
  const [typed, setTyped] = useState<number | null>(null)
  const fieldOf = (name: string) => form.current!.querySelector<HTMLInputElement>(`[name=${name}]`)!
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const entered = new FormData(form.current!)
    const empty = fields.find(({ name }) => String(entered.get(name) ?? '').trim() === '')
    if (empty !== undefined) return fieldOf(empty.name).focus()
    for (const secret of form.current!.querySelectorAll<HTMLInputElement>('[type=password]'))
      secret.value = ''
    setCurrent(first)
    setTyped(null)
    onEnter((name) => String(entered.get(name) ?? '').trim())
  }
  const change = (changed: (text: string) => string) => {
    const field = fieldOf(current)
    field.value = changed(field.value).slice(0, field.maxLength)
    setTyped(field.value.length)
  }
  return { form, current, setCurrent, typed, submit, change }
}

interface KeysProps {
  readonly kind: KeypadKind
  readonly words: KioskWording
  /** How many characters were typed; null before the person types. */
  readonly typed: number | null
  readonly onChange: (changed: (text: string) => string) => void
}

function Keys({ kind, words, typed, onChange }: KeysProps) {
  return (
    <>
      <p class="unseen" role="status">
        {typed !== null && count(words.locale, words.typed, typed)}
      </p>
      <Keypad
        kind={kind}
        words={words}
        onKey={(key) => onChange((text) => text + key)}
        onErase={() => onChange((text) => text.slice(0, -1))}
      />
    </>
  )
}

/** Submits on Enter. The button is outside the form, and without a button, browsers only submit forms that have a single field. */
function sendOnEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  form.requestSubmit()
}
