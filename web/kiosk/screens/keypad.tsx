import { handoffAlphabet } from '#shared/contract/sessions/session-handoff.ts'
import type { KioskWording } from '#web/kiosk/wording/kiosk-wording.ts'

/** The input that the keypad is for: a PIN or a pairing code. */
export type KeypadKind = 'digits' | 'letters'

const keysOf: Readonly<Record<KeypadKind, readonly string[]>> = {
  digits: [...'1234567890'],
  letters: [...handoffAlphabet],
}

interface KeypadProps {
  readonly kind: KeypadKind
  readonly words: KioskWording
  readonly onKey: (key: string) => void
  readonly onErase: () => void
}

/**
 * On-screen keys for full-screen devices without a keyboard. [Note: A key takes no focus] The focus stays where the person
 * or their screen reader put it, and a real keyboard types straight into the field. The key order is the same in every language.
 */
export function Keypad({ kind, words, onKey, onErase }: KeypadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would belong to a form, and this is next to one
    <div
      class={`keypad ${kind}`}
      role="group"
      aria-label={words.text.keypad}
      dir="ltr"
      onMouseDown={keepFocus}
    >
      {keysOf[kind].map((key) => (
        <button key={key} type="button" class="button secondary key" onClick={() => onKey(key)}>
          {key}
        </button>
      ))}
      <button type="button" class="button secondary key erase" onClick={onErase}>
        {words.button.erase}
      </button>
    </div>
  )
}

function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
