import type { ConsoleWording } from './console-wording.ts'
import { en } from './en.ts'

/** Every language but English is loaded when it is chosen. */
const languages: Readonly<Record<string, () => Promise<ConsoleWording>>> = {
  en: async () => en,
}

/** The languages by their own names. */
export const languageNames: Readonly<Record<string, string>> = {
  en: 'English',
}

/** The first wanted language that there is a wording for; English otherwise. */
export function chooseConsoleLanguage(wanted: readonly (string | null)[]): string {
  const tags = wanted.map((tag) => tag?.toLowerCase().split('-')[0] ?? '')
  return tags.find((language) => Object.hasOwn(languages, language)) ?? 'en'
}

/** Loads the wording of a language that was chosen so. */
export function loadConsoleWording(language: string): Promise<ConsoleWording> {
  return (languages[language] ?? languages.en!)()
}
