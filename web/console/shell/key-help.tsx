import type { ComponentChildren } from 'preact'
import { pages } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { letters } from '#web/console/core/shortcuts.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { fill } from '#web/wording/fill.ts'

/** List of all shortcuts. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { words, preferences } = useConsole()
  const { keys, page, action } = words.value
  const row = (name: string, pressed: ComponentChildren) => (
    <div key={name}>
      <dt>{pressed}</dt>
      <dd>{name}</dd>
    </div>
  )
  return (
    <Dialog title={keys.title} onClose={onClose}>
      {!preferences.value.hasShortcuts && <p>{keys.off}</p>}
      <dl class="keys">
        {row(keys.search, <kbd>/</kbd>)}
        {row(keys.help, <kbd>?</kbd>)}
        {pages.map((one) =>
          row(
            fill(keys.go, { page: page[one] }),
            <>
              <kbd>g</kbd> {keys.afterwards} <kbd>{letters[one]}</kbd>
            </>,
          ),
        )}
      </dl>
      <h3>{keys.review}</h3>
      <dl class="keys">
        {row(keys.next, <kbd>j</kbd>)}
        {row(keys.previous, <kbd>k</kbd>)}
        {row(keys.pass, <kbd>p</kbd>)}
        {row(keys.fail, <kbd>f</kbd>)}
        {row(keys.note, <kbd>n</kbd>)}
      </dl>
      <div class="buttons">
        <Button kind="primary" onPress={onClose}>
          {action.close}
        </Button>
      </div>
    </Dialog>
  )
}
