import { type ReadonlySignal, signal } from '@preact/signals'

/** What screen readers hear. The regions never leave the page; only their text changes. */
export interface Speech {
  readonly polite: ReadonlySignal<string>
  readonly assertive: ReadonlySignal<string>
  say(text: string): void
  /** Only for the camera being lost and for time being over. */
  interrupt(text: string): void
}

/** Makes the two voices of a page. */
export function createSpeech(): Speech {
  const polite = signal('')
  const assertive = signal('')
  return {
    polite,
    assertive,
    say: (text) => {
      polite.value = anew(text, polite.value)
    },
    interrupt: (text) => {
      assertive.value = anew(text, assertive.value)
    },
  }
}

/** The same words again must change the text, or nothing is heard. */
function anew(text: string, before: string): string {
  return text === before ? `${text}\u00a0` : text
}
