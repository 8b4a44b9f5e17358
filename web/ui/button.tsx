import type { ComponentChildren } from 'preact'

/** A button's emphasis. Each screen has a single primary button. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet'

interface ButtonProps {
  readonly kind?: ButtonKind
  readonly onPress: () => void
  readonly busy?: boolean
  readonly children: ComponentChildren
}

/** A button that is at least 48 pixels high. It is never disabled, so it always responds and keeps the focus. */
export function Button({ kind = 'secondary', onPress, busy = false, children }: ButtonProps) {
  return (
    <button type="button" class={`button ${kind}`} aria-busy={busy} onClick={() => !busy && onPress()}>
      <span>{children}</span>
    </button>
  )
}
