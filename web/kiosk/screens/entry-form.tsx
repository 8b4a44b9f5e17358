import type { ComponentChildren, JSX } from 'preact'
import { Button } from '../../screens/button.tsx'
import type { IconName } from '../../screens/icon.tsx'
import { Page } from '../../screens/page.tsx'

/** One field of a form, by the name that its text comes back under. */
export interface EntryField {
  readonly name: string
  readonly label: string
  readonly input?: JSX.IntrinsicElements['input']
}

/** Where a PIN is typed: not to be read from behind, and for no manager of passwords to keep. */
export const pinInput = {
  type: 'password',
  inputMode: 'numeric',
  maxLength: 12,
  dir: 'ltr',
  autocomplete: 'off',
} as const

interface EntryFormProps {
  readonly screen: string
  readonly icon: IconName
  readonly title: string
  /** What is to be typed, where the heading does not say it. */
  readonly lead?: string
  readonly fields: readonly EntryField[]
  /** What was not right with the last entry. */
  readonly trouble: string | undefined
  readonly label: string
  readonly busy: boolean
  readonly onEnter: (entered: (name: string) => string) => void
  /** The ways on beside the form's own. */
  readonly aside?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A screen on which something is typed. The button never waits for the fields to be right: it says what is not. */
export function EntryForm(props: EntryFormProps) {
  const { screen, icon, title, lead, fields, trouble, label, busy, onEnter, aside, children } = props
  const id = `entry-${screen.split(' ')[0]}`
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const entered = new FormData(form)
    const empty = fields.find(({ name }) => String(entered.get(name) ?? '').trim() === '')
    if (empty !== undefined) return form.querySelector<HTMLInputElement>(`[name=${empty.name}]`)?.focus()
    for (const secret of form.querySelectorAll<HTMLInputElement>('[type=password]')) secret.value = ''
    onEnter((name) => String(entered.get(name) ?? '').trim())
  }
  const send = () => document.querySelector<HTMLFormElement>(`#${id}`)?.requestSubmit()
  return (
    <Page
      screen={screen}
      icon={icon}
      title={title}
      actions={
        <>
          <Button kind="primary" busy={busy} onPress={send}>
            {label}
          </Button>
          {aside}
        </>
      }
    >
      {lead !== undefined && <p class="lead">{lead}</p>}
      <form id={id} class="code-entry entry" onSubmit={submit} onKeyDown={sendOnEnter} autocomplete="off">
        {fields.map(({ name, label: words, input }) => (
          <label key={name}>
            <span>{words}</span>
            <input
              name={name}
              spellcheck={false}
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
    </Page>
  )
}

/** The button stands outside the form: without one in it, Enter would send only a form of one field. */
function sendOnEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  form.requestSubmit()
}
