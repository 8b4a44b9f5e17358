import type { ComponentChildren } from 'preact'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import { Icon } from '#web/ui/icon.tsx'
import type { Wording } from '#web/wording/wording.ts'

interface HintLineProps {
  readonly view: LiveView
  readonly wording: Wording
  /** What stands there when nothing needs saying. */
  readonly children?: ComponentChildren
}

/** The one hint. Its place is kept, so that nothing jumps when it comes or goes; the live region speaks it. */
export function HintLine({ view, wording, children }: HintLineProps) {
  const pace = view.heldUp.value ? 'savingPower' : view.slow.value ? 'moveSlowly' : null
  const hint = view.hint.value ?? pace
  return (
    <div class="hint-line">
      {hint === null ? (
        children
      ) : (
        <p class="hint" data-hint={hint}>
          <span class="hint-mark">
            <Icon name="guide" size={20} />
          </span>
          {wording.hint[hint]}
        </p>
      )}
    </div>
  )
}
