import { type ReadonlySignal, signal } from '@preact/signals'
import { chooseLanguage, loadWording } from '#web/wording/languages.ts'
import { loadKioskWording } from './kiosk-languages.ts'
import type { KioskWords } from './kiosk-wording.ts'
import { visitWords } from './visit-words.ts'

/** The kiosk's language: the current wording, and ways to change it. */
export interface KioskLanguage {
  readonly words: ReadonlySignal<KioskWords>
  /** Switches to another language until it is reset. */
  choose(locale: string): Promise<void>
  /** Switches back to the kiosk's own language. */
  reset(): Promise<void>
}

/** Starts with the kiosk's own language, which is the first one in `wanted` that has a wording. */
export async function openLanguage(wanted: () => readonly (string | null)[]): Promise<KioskLanguage> {
  const words = signal(await loadWords(chooseLanguage(wanted())))
  let turn = 0
  const speak = async (language: string) => {
    const mine = ++turn
    if (language === words.peek().page.locale) return
    const loaded = await loadWords(language)
    if (mine === turn) words.value = loaded
  }
  return {
    words,
    choose: (locale) => speak(chooseLanguage([locale])),
    reset: () => speak(chooseLanguage(wanted())),
  }
}

async function loadWords(language: string): Promise<KioskWords> {
  const [page, kiosk] = await Promise.all([loadWording(language), loadKioskWording(language)])
  return { page: visitWords(page, kiosk), kiosk }
}
