import type { ComponentChildren } from 'preact'

interface ButtonProps {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly onPress: () => void
  readonly isBusy?: boolean
  readonly label?: string
  readonly pressed?: boolean
  readonly children: ComponentChildren
}

/** A compact button. It is never disabled, so it keeps the focus and always responds. */
export function Button({ kind = 'plain', onPress, isBusy = false, label, pressed, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={`press ${kind}`}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={pressed}
      onClick={() => !isBusy && onPress()}
    >
      {children}
    </button>
  )
}

interface SubmitProps {
  readonly kind?: 'primary' | 'danger'
  readonly isBusy?: boolean
  readonly children: ComponentChildren
}

export function Submit({ kind = 'primary', isBusy = false, children }: SubmitProps) {
  return (
    <button type="submit" class={`press ${kind}`} aria-busy={isBusy}>
      {children}
    </button>
  )
}
