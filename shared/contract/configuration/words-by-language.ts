import * as v from 'valibot'
import { knownNamesAlone } from '../sections.ts'

/** The languages in which the capture page and the kiosk speak. */
export const pageLanguages = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** Words of an integrator: the same for everybody, or by the language of the page, with those for every other one. */
export type WordsByLanguage =
  | string
  | ({ readonly default: string } & { readonly [L in PageLanguage]?: string | undefined })

type Words = v.GenericSchema<string>

/**
 * Takes one text, or one for each of some languages with a `default` for the rest.
 * [Note: One or the other] What was sent says which of the two is meant, so that each fault is said of that one, at its own place.
 */
export function wordsByLanguage(words: Words) {
  const inOne = (language: string) =>
    v.optional(v.pipe(words, v.description(`Where the page speaks \`${language}\`.`)))
  const languages = Object.fromEntries(pageLanguages.map((one) => [one, inOne(one)]))
  const entries = {
    default: v.pipe(words, v.description('In every language that is not named.')),
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

/** The words in a language. */
export function wordsIn(words: WordsByLanguage, language: string): string {
  if (typeof words === 'string') return words
  const own = Object.hasOwn(words, language) ? words[language as PageLanguage] : undefined
  return own ?? words.default
}
