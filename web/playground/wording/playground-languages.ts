import { firstKnownLanguage } from '#shared/languages.ts'
import { en } from './en.ts'
import type { PlaygroundWording } from './playground-wording.ts'

/** Every language except English is loaded when it is chosen. These are the same languages as on the capture page. */
const languages: Readonly<Record<string, () => Promise<PlaygroundWording>>> = {
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

/** The playground's languages. */
export const playgroundLanguages: readonly string[] = Object.keys(languages)

/** Loads the first requested language (a tag) that has a wording, falling back to English. */
export async function loadPlaygroundWording(wanted: readonly string[]): Promise<PlaygroundWording> {
  return languages[firstKnownLanguage(playgroundLanguages, wanted)]!()
}
