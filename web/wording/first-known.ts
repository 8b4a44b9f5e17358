/** The language of the first wanted tag that is among the known ones; English otherwise. */
export function firstKnownLanguage(known: readonly string[], wanted: readonly (string | null)[]): string {
  const languages = wanted.map((tag) => tag?.toLowerCase().split('-')[0])
  return languages.find((language) => language !== undefined && known.includes(language)) ?? 'en'
}
