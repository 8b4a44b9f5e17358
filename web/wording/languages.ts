import { firstKnownLanguage } from '#shared/languages.ts'
import { en } from './en.ts'
import type { Wording } from './wording.ts'

/** Every language but English is loaded when it is chosen. */
const languages: Readonly<Record<string, () => Promise<Wording>>> = {
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

/** The languages that there is a wording for. */
export function knownLanguages(): readonly string[] {
  return Object.keys(languages)
}

/** The first wanted language that there is a wording for; English otherwise. An entry may be a list of its own, as `reLocale` of a link. */
export function chooseLanguage(wanted: readonly (string | null)[]): string {
  return firstKnownLanguage(knownLanguages(), wanted)
}

const pauseMilliseconds = 1000

/** Loads the wording of a language that chooseLanguage answered. English if the network loses its file twice, because a page without words is empty. */
export async function loadWording(language: string): Promise<Wording> {
  const load = languages[language] ?? languages.en!
  try {
    return await load()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds))
    return load().catch(() => en)
  }
}
