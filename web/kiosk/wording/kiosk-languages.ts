import { en } from './en.ts'
import type { KioskWording } from './kiosk-wording.ts'

/** Every language except English is loaded when it is chosen. All of them are kept for times without a network. */
const languages: Readonly<Record<string, () => Promise<KioskWording>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  ar: async () => (await import('./ar.ts')).ar,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  hi: async () => (await import('./hi.ts')).hi,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  pt: async () => (await import('./pt.ts')).pt,
  zh: async () => (await import('./zh.ts')).zh,
}

/** The language tags, in the order in which they are offered. */
export const kioskLocales: readonly string[] = Object.keys(languages)

/** Loads the kiosk's wording in a language that `chooseLanguage` returned. */
export function loadKioskWording(language: string): Promise<KioskWording> {
  return (languages[language] ?? languages.en!)()
}
