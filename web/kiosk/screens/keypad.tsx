import { handoffAlphabet } from '#shared/contract/sessions/session-handoff.ts'
import type { KioskWording } from '#web/kiosk/wording/kiosk-wording.ts'

/** What is typed on the screen: a PIN, or a code that pairs. */
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
 * Keys on the screen, for a device in full screen that may have no others. [Note: A key takes no focus] It stays where the person
 * or their screen reader had it; a keyboard types into the field itself. Keys stand alike in every language, as those on a wall do.
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
