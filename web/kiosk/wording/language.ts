import { type ReadonlySignal, signal } from '@preact/signals'
import type { KioskWords } from '#web/kiosk/screens/kiosk-props.ts'
import { chooseLanguage, loadWording } from '#web/wording/languages.ts'
import { loadKioskWording } from './kiosk-languages.ts'
import { visitWords } from './visit-words.ts'

/** What the kiosk speaks: the words of the moment, and what changes them. */
export interface KioskLanguage {
  readonly words: ReadonlySignal<KioskWords>
  /** Speaks another language until it is reset. */
  choose(locale: string): Promise<void>
  /** Speaks the kiosk's own language again. */
  reset(): Promise<void>
}

/** Begins with the kiosk's own language, as `wanted` names it, the first that there are words for. */
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
