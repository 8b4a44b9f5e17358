import * as v from 'valibot'
import { knownNamesAlone } from '../sections.ts'

/** The languages of the capture page and the kiosk. */
export const pageLanguages = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** An integrator's text: either the same for everyone, or one per language plus a default. */
export type WordsByLanguage =
  | string
  | ({ readonly default: string } & { readonly [L in PageLanguage]?: string | undefined })

type Words = v.GenericSchema<string>

/**
 * Accepts either a single text, or one per language with a `default` for the rest.
 * [Note: One or the other] The value's type decides which form is meant, so errors are only reported for that form.
 */
export function wordsByLanguage(words: Words) {
  const inOne = (language: string) =>
    v.optional(v.pipe(words, v.description(`Text for pages in \`${language}\`.`)))
  const languages = Object.fromEntries(pageLanguages.map((one) => [one, inOne(one)]))
  const entries = {
    default: v.pipe(words, v.description('Text for all other languages.')),
    ...(languages as Record<PageLanguage, ReturnType<typeof inOne>>),
  }
  const either = v.union([words, knownNamesAlone(entries)])
  const run: (typeof either)['~run'] = (dataset, config) => {
    const { value } = dataset
    const isMap = typeof value === 'object' && value !== null
    return either.options[isMap ? 1 : 0]['~run'](dataset, config) as ReturnType<(typeof either)['~run']>
  }
  return { ...either, '~run': run }
}

/** Picks the text for a language. */
export function wordsIn(words: WordsByLanguage, language: string): string {
  if (typeof words === 'string') return words
  const own = Object.hasOwn(words, language) ? words[language as PageLanguage] : undefined
  return own ?? words.default
}
