/**
 * [Note: One home for identity strings] What names somebody or something is read here, and nowhere else: what it may hold, and when two are one.
 * The same rules hold for ids and names that come in by a call, a link, a provider or the command line.
 */

/** Control characters, NUL among them, and halves of a character: nobody means them, and stores, logs and headers read them differently. */
const unfit = /[\p{Cc}\p{Cs}]/u

/** Whether a text can name somebody or something. */
export function isIdentityText(text: string): boolean {
  return !unfit.test(text)
}

/** Whether every character is whole: a lone surrogate is written as another character by whoever encodes it. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text)
}

/** The one form of what may be written in several: composed (NFC). */
export function canonicalIdentity(text: string): string {
  return text.normalize('NFC')
}

/**
 * False if no other text can have the same canonical form, which spares a search among all names. Single characters beyond ASCII are composed to `K`, `;`
 * and the grave accent, and to no other ASCII character.
 */
export function mayHaveOtherForms(text: string): boolean {
  return /[^\x20-\x7e]|[K;`]/.test(text)
}

/** Whether two texts name the same. */
export function isSameIdentity(one: string, other: string): boolean {
  return one === other || canonicalIdentity(one) === canonicalIdentity(other)
}

/** The canonical form, and the one that was sent where that is another: what was stored before stands under it. */
export function identityForms(text: string): readonly string[] {
  return [...new Set([canonicalIdentity(text), text])]
}

/** How many characters a text has, each as one, whatever it takes in memory. */
export function codePointsOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
