import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
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

/** The section that is being read: the one in the upper third of the window. */
function useSectionInView() {
  const [inView, setInView] = useState<SectionName>('checks')
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => {
        const entered = entries.find(({ isIntersecting }) => isIntersecting)
        const name = sectionNames.find((one) => idOf(one) === entered?.target.id)
        if (name !== undefined) setInView(name)
      },
      { rootMargin: '-20% 0px -70% 0px' },
    )
    for (const name of sectionNames) {
      const section = document.getElementById(idOf(name))
      if (section !== null) watch.observe(section)
    }
    return () => watch.disconnect()
  }, [])
  return [inView, setInView] as const
}

/** Leads to each section. The focus goes along, so that the next Tab reaches the section's first field. */
export function SectionList() {
  const { words } = useConsole()
  const [inView, setInView] = useSectionInView()
  const { config } = words.value
  const go = (name: SectionName) => {
    document.getElementById(idOf(name))?.focus()
    // The last sections cannot be scrolled up that far.
    setInView(name)
  }
  return (
    <nav class="section-list" aria-label={config.sections}>
      {sectionNames.map((name) => (
        <button
          key={name}
          type="button"
          class="press quiet"
          aria-current={name === inView ? 'true' : undefined}
          onClick={() => go(name)}
        >
          {config[name]}
        </button>
      ))}
    </nav>
  )
}
