import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { placeOf } from '#web/console/core/explain.ts'
import { type PlacedFault, useFaults } from '#web/console/ui/faults.ts'
import { TextField } from '#web/console/ui/field.tsx'
import { fill } from '#web/wording/fill.ts'
import { faultInJson, placeInJson, type TextPlace } from './config-lines.ts'

/** The member that contains the configuration. */
export const configMember = 'verificationConfig'
const leastLines = 12
const mostLines = 40

interface ConfigJsonProps {
  readonly text: string
  readonly isJson: boolean
  /** True if the text was edited here, so that all faults are shown here as well, with their lines. */
  readonly isSource: boolean
  readonly onInput: (text: string) => void
}

/** The configuration as JSON, folded until it is wanted. Faults in members without a form field are shown here with their line. */
export function ConfigJson({ text, isJson, isSource, onInput }: ConfigJsonProps) {
  const { words } = useConsole()
  const { verifications } = words.value
  const faults = useFaults(configMember)
  const placeFor = ({ path }: PlacedFault) => placeInJson(text, path.slice(configMember.length + 1))
  const say = (fault: PlacedFault) => {
    const line = fault.path === configMember ? undefined : placeFor(fault)?.line
    if (line === undefined) return fault.message
    const place = placeOf(fault.path.slice(configMember.length + 1))
    return fill(verifications.jsonFault, { line, place, message: fault.message })
  }
  const wrong = isJson ? faults[0] && placeFor(faults[0]) : faultInJson(text)
  const [isOpen, setOpen] = useState(false)
  // A fault is never folded away, because the form leads to its line.
  const isShown = isOpen || isSource || !isJson || faults.length > 0
  return (
    <details class="config-json" open={isShown} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>{verifications.json}</summary>
      <TextField
        label={verifications.json}
        hint={verifications.kept}
        error={isJson ? undefined : badJson(verifications.badJson, wrong!)}
        value={text}
        onInput={onInput}
        lines={Math.min(Math.max(text.split('\n').length + 1, leastLines), mostLines)}
        at={configMember}
        takesAll={isSource}
        say={say}
        selection={wrong}
        isCode
      />
    </details>
  )
}

/** A message with the line at which the text stops being valid JSON. */
export const badJson = (words: string, { line }: TextPlace) => fill(words, { line })
