import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { fill } from '#web/wording/fill.ts'

interface RowMenuProps {
  /** The name of the row, for people who hear the page. */
  readonly name: string
  readonly children: ComponentChildren
}

/** The actions of a table row behind one button. It closes after a choice, with Escape, and when the focus leaves it. */
export function RowMenu({ name, children }: RowMenuProps) {
  const { words } = useConsole()
  const menu = useRef<HTMLDetailsElement>(null)
  const acts = useRef<HTMLDivElement>(null)
  const close = () => {
    if (menu.current !== null) menu.current.open = false
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !menu.current?.open) return
    close()
    menu.current.querySelector('summary')?.focus()
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (!menu.current?.contains(relatedTarget as Node | null)) close()
  }
  // In the last rows of a window, the actions would open below it.
  const onToggle = () => menu.current?.open && acts.current?.scrollIntoView({ block: 'nearest' })
  return (
    <details class="row-menu" ref={menu} onKeyDown={onKeyDown} onFocusOut={onFocusOut} onToggle={onToggle}>
      <summary class="press quiet" aria-label={fill(words.value.action.rowMenu, { name })}>
        ⋯
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside take the keys, and a click only closes */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter and Space click the buttons inside */}
      <div class="row-acts" ref={acts} onClick={close}>
        {children}
      </div>
    </details>
  )
}
