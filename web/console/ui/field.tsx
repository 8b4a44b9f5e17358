import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type PlacedFault, useFaults } from './faults.ts'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** The member that the field fills. [Note: Faults at their field] */
  readonly at?: string | undefined
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
  /** True if the field shows all faults within its member, even if another field is closer. */
  readonly takesAll?: boolean
  /** Returns the text for a fault; defaults to the fault's own message. */
  readonly say?: (fault: PlacedFault) => string
  /** The range to select when the field is shown because of a fault. */
  readonly selection?: { readonly from: number; readonly to: number } | undefined
}

interface FieldNotes {
  readonly id: string
  readonly hint: string | undefined
  readonly errors: readonly string[]
  readonly control: Readonly<Record<string, string | boolean | undefined>>
}

function useNotes({ hint, error, at }: FieldProps, say = ({ message }: PlacedFault) => message): FieldNotes {
  const id = useId()
  const faults = useFaults(at)
  const errors = error === undefined ? faults.map(say) : [error]
  const described = [hint && `${id}-hint`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  const control = {
    id,
    'data-at': at,
    'aria-describedby': described || undefined,
    'aria-invalid': errors.length > 0,
  }
  return { id, hint, errors, control }
}

function About({ id, hint, errors }: FieldNotes) {
  return (
    <>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {errors.length > 0 && (
        <span class="fault" id={`${id}-error`}>
          {errors.map((error) => (
            <bdi key={error}>{error}</bdi>
          ))}
        </span>
      )}
    </>
  )
}

/** A text field with one or more lines, a hint and an error message. */
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
    takesAll = false,
    say,
    selection,
  } = props
  const notes = useNotes(props, say)
  const shared = {
    ...notes.control,
    'data-takes': takesAll ? 'all' : undefined,
    'data-from': selection?.from,
    'data-to': selection?.to,
    value,
    maxLength,
    placeholder,
    spellcheck: !isCode,
    autoComplete: 'off',
    autoFocus,
    dir: isCode ? ('ltr' as const) : undefined,
    class: isCode ? 'code' : undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={notes.id}>{label}</label>
      {lines === undefined ? (
        <input {...shared} type={type as 'text'} />
      ) : (
        <textarea {...shared} rows={lines} />
      )}
      <About {...notes} />
    </div>
  )
}

interface SelectFieldProps<T extends string> extends FieldProps {
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly onChange: (value: T) => void
}

/** A drop-down field. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange } = props
  const notes = useNotes(props)
  return (
    <div class="field">
      <label for={notes.id}>{label}</label>
      <select {...notes.control} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
      <About {...notes} />
    </div>
  )
}

interface CheckFieldProps extends FieldProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function CheckField(props: CheckFieldProps) {
  const { label, checked, onChange } = props
  const notes = useNotes(props)
  return (
    <div class="check">
      <input
        {...notes.control}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={notes.id}>{label}</label>
      <About {...notes} />
    </div>
  )
}

interface FileFieldProps extends FieldProps {
  /** The accepted file types, in `accept` syntax. */
  readonly accept: string
  readonly onChoose: (file: File | null) => void
}

export function FileField(props: FileFieldProps) {
  const { label, accept, onChoose } = props
  const notes = useNotes(props)
  return (
    <div class="field">
      <label for={notes.id}>{label}</label>
      <input
        {...notes.control}
        type="file"
        accept={accept}
        onChange={(event) => onChoose(event.currentTarget.files?.[0] ?? null)}
      />
      <About {...notes} />
    </div>
  )
}

interface FieldGroupProps {
  readonly legend: string
  /** The member that the fields fill together. [Note: Faults at their field] */
  readonly at?: string
  readonly children: ComponentChildren
}

/** A group of related fields. */
export function FieldGroup({ legend, at, children }: FieldGroupProps) {
  const notes = useNotes({ label: legend, at })
  const { 'aria-invalid': _, ...control } = notes.control
  return (
    <fieldset class="group" {...control}>
      <legend>{legend}</legend>
      {children}
      <About {...notes} />
    </fieldset>
  )
}
