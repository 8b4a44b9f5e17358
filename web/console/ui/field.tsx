import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'number' | 'url' | 'date' | 'search' | 'color'
  readonly lines?: number
  readonly maxLength?: number
  readonly placeholder?: string
  readonly isCode?: boolean
  readonly autoFocus?: boolean
}

function describedBy(id: string, { hint, error }: FieldProps): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
}

function About({ id, hint, error }: FieldProps & { id: string }) {
  return (
    <>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="fault" id={`${id}-error`}>
          {error}
        </span>
      )}
    </>
  )
}

/** One line or several of text, with what it is for and what is wrong with it. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    value,
    onInput,
    type = 'text',
    lines,
    maxLength,
    placeholder,
    isCode = false,
    autoFocus,
  } = props
  const id = useId()
  const shared = {
    id,
    value,
    maxLength,
    placeholder,
    spellcheck: !isCode,
    autoComplete: 'off',
    autoFocus,
    dir: isCode ? ('ltr' as const) : undefined,
    class: isCode ? 'code' : undefined,
    'aria-describedby': describedBy(id, props),
    'aria-invalid': props.error !== undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <input {...shared} type={type as 'text'} />
      ) : (
        <textarea {...shared} rows={lines} />
      )}
      <About id={id} {...props} />
    </div>
  )
}

interface SelectFieldProps<T extends string> extends FieldProps {
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly onChange: (value: T) => void
}

/** One of some words. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={describedBy(id, props)}
        aria-invalid={props.error !== undefined}
        onChange={(event) => onChange(event.currentTarget.value as T)}
      >
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
      <About id={id} {...props} />
    </div>
  )
}

interface CheckFieldProps extends FieldProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** Yes or no. */
export function CheckField(props: CheckFieldProps) {
  const { label, checked, onChange } = props
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={describedBy(id, props)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <About id={id} {...props} />
    </div>
  )
}

/** Fields that belong together. */
export function FieldGroup({ legend, children }: { legend: string; children: ComponentChildren }) {
  return (
    <fieldset class="group">
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
