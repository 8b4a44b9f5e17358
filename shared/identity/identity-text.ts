/**
 * [Note: One home for identity strings] All rules for names and ids are in this folder: which characters they may contain and when two are equal.
 * They apply to ids and names from calls, links, providers and the command line.
 */

/** Control characters, including NUL, and lone surrogates: never intended, and stores, logs and headers treat them differently. */
const unfit = /[\p{Cc}\p{Cs}]/u

/** True if a text may be used as a name or an id. */
export function isIdentityText(text: string): boolean {
  return !unfit.test(text)
}

/** True if the text has no lone surrogates, which encoders replace with another character. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text)
}

/** Canonical form (NFC) of a text that has several representations. */
export function canonicalIdentity(text: string): string {
  return text.normalize('NFC')
}

/**
 * False if no other text can have the same canonical form, which saves a search among all names. The only characters beyond ASCII that compose to ASCII
 * become `K`, `;` or the grave accent.
 */
export function mayHaveOtherForms(text: string): boolean {
  return /[^\x20-\x7e]|[K;`]/.test(text)
}

/** True if two texts are the same identity. */
export function isSameIdentity(one: string, other: string): boolean {
  return one === other || canonicalIdentity(one) === canonicalIdentity(other)
}

/** The canonical form, followed by the sent form if it differs: older records are stored under that one. */
export function identityForms(text: string): readonly string[] {
  return [...new Set([canonicalIdentity(text), text])]
}

/** Length of a text in code points. */
export function codePointsOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
