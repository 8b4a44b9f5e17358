/**
 * [Note: One home for identity strings] All rules about names and ids are in this folder: which characters they may contain, and when two of them
 * are equal. They apply to ids and names from calls, links, providers and the command line.
 */

/** Control characters (including NUL) and lone surrogates. They are never intended, and stores, logs and headers all treat them differently. */
const unfit = /[\p{Cc}\p{Cs}]/u

/** True if a string may be used as a name or an id. */
export function isIdentityText(text: string): boolean {
  return !unfit.test(text)
}

/** True if the string has no lone surrogates, which encoders would replace with a different character. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text)
}

/** The canonical form (NFC) of a string that can be represented in several ways. */
export function canonicalIdentity(text: string): string {
  return text.normalize('NFC')
}

/**
 * False if no other string can have the same canonical form, so that there is no need to search all names. The only characters outside ASCII that
 * compose to ASCII become `K`, `;` or the grave accent.
 */
export function mayHaveOtherForms(text: string): boolean {
  return /[^\x20-\x7e]|[K;`]/.test(text)
}

/** True if two strings are the same identity. */
export function isSameIdentity(one: string, other: string): boolean {
  return one === other || canonicalIdentity(one) === canonicalIdentity(other)
}

/** The canonical form, followed by the form that was sent if it is different, because older records are stored under it. */
export function identityForms(text: string): readonly string[] {
  return [...new Set([canonicalIdentity(text), text])]
}

/** The length of a string in code points. */
export function codePointsOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
