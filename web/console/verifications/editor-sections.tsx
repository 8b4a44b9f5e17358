import type { ComponentChildren } from 'preact'
import { useConsole } from '#web/console/core/console-context.ts'
import { FieldGroup } from '#web/console/ui/field.tsx'

/** The sections of the form, in the order in which they are shown. */
const sectionNames = ['checks', 'ways', 'results', 'privacy', 'retention', 'kiosk'] as const
type SectionName = (typeof sectionNames)[number]

const idOf = (name: string) => `section-${name}`

/** A section of the form that the list beside it leads to. */
export function EditorSection({ name, children }: { name: SectionName; children: ComponentChildren }) {
  const { words } = useConsole()
  return (
    <div id={idOf(name)} class="editor-section" tabIndex={-1}>
      <FieldGroup legend={words.value.config[name]}>{children}</FieldGroup>
    </div>
  )
}

/** Leads to each section. The focus goes along, so that the next Tab reaches the section's first field. */
export function SectionList() {
  const { words } = useConsole()
  const { config } = words.value
  return (
    <nav class="section-list" aria-label={config.sections}>
      {sectionNames.map((name) => (
        <button
          key={name}
          type="button"
          class="press quiet"
          onClick={() => document.getElementById(idOf(name))?.focus()}
        >
          {config[name]}
        </button>
      ))}
    </nav>
  )
}
