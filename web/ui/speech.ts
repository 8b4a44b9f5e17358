import { type ReadonlySignal, signal } from '@preact/signals'

/** Screen reader announcements. The live regions stay in the document, and only their text changes. */
export interface Speech {
  readonly polite: ReadonlySignal<string>
  readonly assertive: ReadonlySignal<string>
  say(text: string): void
  /** Used only for a lost camera and an expired time limit. */
  interrupt(text: string): void
}

/** Creates the polite and the assertive region. */
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

/** Slightly changes text that is repeated; otherwise, screen readers would not announce it. */
function anew(text: string, before: string): string {
  return text === before ? `${text}\u00a0` : text
}
