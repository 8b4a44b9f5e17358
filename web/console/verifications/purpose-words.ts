import { type PageLanguage, pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import { type Config, memberAt, withMember } from './config-form.ts'

export const purposePath = 'privacyConfig.purpose'

/** The purpose of the check: a default text, plus one per language. */
export interface PurposeWords {
  readonly text: string
  readonly languages: readonly (readonly [language: PageLanguage, text: string])[]
}

export function readPurpose(config: Config): PurposeWords {
  const purpose = memberAt(config, purposePath)
  if (typeof purpose !== 'object' || purpose === null) return { text: String(purpose ?? ''), languages: [] }
  const words = purpose as Readonly<Record<string, unknown>>
  const languages = pageLanguages.flatMap((one) =>
    words[one] === undefined ? [] : [[one, String(words[one])] as const],
  )
  return { text: String(words.default ?? ''), languages }
}

/** Sets the purpose. Without translations it is a single text, and without any text the member is removed. */
export function withPurpose(config: Config, { text, languages }: PurposeWords): Config {
  const words =
    languages.length === 0 ? text || undefined : { default: text, ...Object.fromEntries(languages) }
  return withMember(config, purposePath, words)
}

/** Sets the text for one language; null removes the language. */
export function withLanguage(words: PurposeWords, language: PageLanguage, text: string | null): PurposeWords {
  const languages = new Map(words.languages)
  if (text === null) languages.delete(language)
  else languages.set(language, text)
  return { ...words, languages: [...languages] }
}

/** The languages that do not have a text yet. */
export function languagesLeft({ languages }: PurposeWords): readonly PageLanguage[] {
  return pageLanguages.filter((one) => !languages.some(([known]) => known === one))
}
