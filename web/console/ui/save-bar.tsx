import { useConsole } from '#web/console/core/console-context.ts'
import { Button, Submit } from './controls.tsx'

interface SaveBarProps {
  readonly verb: string
  readonly isBusy: boolean
  readonly isChanged: boolean
  readonly onDiscard: () => void
}

/** A bar at the bottom of long forms. It is always visible and has buttons for saving and discarding changes. */
export function SaveBar({ verb, isBusy, isChanged, onDiscard }: SaveBarProps) {
  const { words } = useConsole()
  const { verifications } = words.value
  return (
    <div class="save-bar">
      <Submit isBusy={isBusy}>{verb}</Submit>
      {isChanged && (
        <>
          <Button onPress={onDiscard}>{verifications.discard}</Button>
          <span class="small">{verifications.unsaved}</span>
        </>
      )}
    </div>
  )
}
