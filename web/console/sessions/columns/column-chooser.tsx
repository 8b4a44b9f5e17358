import { useConsole } from '#web/console/core/console-context.ts'
import { CheckField } from '#web/console/ui/field.tsx'
import { type ColumnName, chooseable } from './chosen-columns.ts'

interface ColumnChooserProps {
  readonly chosen: readonly ColumnName[]
  readonly onChoose: (chosen: readonly ColumnName[]) => void
}

/** Chooses the columns of the list. */
export function ColumnChooser({ chosen, onChoose }: ColumnChooserProps) {
  const { words } = useConsole()
  const { sessions, session, review } = words.value
  const named = { ...sessions, took: session.took, assigned: review.assigned }
  return (
    <details class="column-chooser wide-only">
      <summary>{sessions.columns}</summary>
      <div class="chips">
        {chooseable.map((name) => (
          <CheckField
            key={name}
            label={named[name]}
            checked={chosen.includes(name)}
            onChange={(isOn) =>
              onChoose(chooseable.filter((one) => (one === name ? isOn : chosen.includes(one))))
            }
          />
        ))}
      </div>
    </details>
  )
}
