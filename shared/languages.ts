/**
 * The tag of the first language in the wanted lists that is among the known ones, written as it was sent; undefined if none is.
 * [Note: Languages come as lists] `ui_locales` is a list, `reLocale` may be one, and a browser sends one. A list is read from the left, an
 * underscore counts as a hyphen (many systems write `de_DE`), and a region or a script falls back to its language.
 */
export function firstKnownTag(
  known: readonly string[],
  wanted: readonly (string | null)[],
): string | undefined {
  const tags = wanted.flatMap((list) => list?.split(/[\s,]+/) ?? [])
  return tags.find((tag) => known.includes(languageOf(tag)))
}

/** The language of `firstKnownTag`; English if none of the wanted ones is known. */
export function firstKnownLanguage(known: readonly string[], wanted: readonly (string | null)[]): string {
  return languageOf(firstKnownTag(known, wanted) ?? 'en')
}

/** A header's weight may follow a tag. */
function languageOf(tag: string): string {
  return tag.toLowerCase().split(/[-_;]/)[0]!
}
