import type { ConsoleWording } from './console-wording.ts'
import { en } from './en.ts'

/** Every language except English is loaded when it is chosen. */
const languages: Readonly<Record<string, () => Promise<ConsoleWording>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  ar: async () => (await import('./ar.ts')).ar,
  ja: async () => (await import('./ja.ts')).ja,
}

/** The languages' names for themselves. */
export const languageNames: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  ar: 'العربية',
  ja: '日本語',
}

/** The first requested language that has a wording, falling back to English. */
export function chooseConsoleLanguage(wanted: readonly (string | null)[]): string {
  const tags = wanted.map((tag) => tag?.toLowerCase().split('-')[0] ?? '')
  return tags.find((language) => Object.hasOwn(languages, language)) ?? 'en'
}

/** Loads the wording for a language that `chooseConsoleLanguage` returned. */
export function loadConsoleWording(language: string): Promise<ConsoleWording> {
  return (languages[language] ?? languages.en!)()
}
