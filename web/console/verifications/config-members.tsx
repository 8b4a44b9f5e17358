import { CheckField, TextField } from '#web/console/ui/field.tsx'
import { type Config, memberAt, numberFrom, withMember } from './config-form.ts'
import { configMember } from './config-json.tsx'

/** The configuration being edited. */
export interface ConfigFieldsProps {
  readonly config: Config
  readonly onChange: (config: Config) => void
}

/** The path at which the server reports a configuration member's faults. */
export const placeOfMember = (path: string) => `${configMember}/${path.replaceAll('.', '/')}`

/** Binds a field to a configuration member. */
export function useMembers({ config, onChange }: ConfigFieldsProps) {
  const read = (path: string) => String(memberAt(config, path) ?? '')
  const write = (path: string, value: unknown) => onChange(withMember(config, path, value))
  return {
    read,
    write,
    text: (path: string, label: string, hint?: string) => (
      <TextField
        label={label}
        hint={hint}
        value={read(path)}
        at={placeOfMember(path)}
        onInput={(value) => write(path, value === '' ? undefined : value)}
      />
    ),
    number: (path: string, label: string, hint?: string) => (
      <TextField
        label={label}
        hint={hint}
        type="number"
        value={read(path)}
        at={placeOfMember(path)}
        onInput={(value) => write(path, numberFrom(value))}
      />
    ),
    flag: (path: string, label: string) => (
      <CheckField
        label={label}
        checked={memberAt(config, path) === true}
        at={placeOfMember(path)}
        onChange={(checked) => write(path, checked || undefined)}
      />
    ),
  }
}
