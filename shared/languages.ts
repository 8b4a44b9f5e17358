/**
 * Returns the first tag of the wanted lists whose language is known, as it was sent; undefined if there is none.
 * [Note: Languages come as lists] `ui_locales` is a list, `reLocale` may be one, and browsers send one. Lists are read from the left, an
 * underscore counts as a hyphen (many systems write `de_DE`), and a tag with a region or a script falls back to its language.
 */
export function firstKnownTag(
  known: readonly string[],
  wanted: readonly (string | null)[],
): string | undefined {
  const tags = wanted.flatMap((list) => list?.split(/[\s,]+/) ?? [])
  return tags.find((tag) => known.includes(languageOf(tag)))
}

/** Language of `firstKnownTag`, or English if none of the wanted ones is known. */
export function firstKnownLanguage(known: readonly string[], wanted: readonly (string | null)[]): string {
  return languageOf(firstKnownTag(known, wanted) ?? 'en')
}

/** In headers, a weight may follow the tag. */
function languageOf(tag: string): string {
  return tag.toLowerCase().split(/[-_;]/)[0]!
}
