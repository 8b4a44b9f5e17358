import { useConsole } from '#web/console/core/console-context.ts'
import { Button } from './controls.tsx'
import { Section } from './pieces.tsx'

interface DangerZoneProps {
  readonly verb: string
  /** Its effect, in one sentence. */
  readonly lead: string
  readonly onPress: () => void
}

/** The last section of an editor, apart from what is pressed every day: an act that cannot be undone. */
export function DangerZone({ verb, lead, onPress }: DangerZoneProps) {
  const { words } = useConsole()
  return (
    <div class="danger-zone">
      <Section title={words.value.action.danger}>
        <p>{lead}</p>
        <Button kind="danger" onPress={onPress}>
          {verb}
        </Button>
      </Section>
    </div>
  )
}
