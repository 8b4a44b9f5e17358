import { isIdentityText } from './identity-text.ts'

/**
 * [Note: A name shows what it is] Names that look the same but differ would allow impersonation, so new names contain only visible
 * characters. Names that were stored before stay valid, also in writes that send them unchanged.
 */

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** A subdivision flag such as Scotland's: a black flag, tag letters and an end tag. */
const taggedFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]+\u{e007f}/gu
const keycap = /[0-9#*]\ufe0f\u20e3/gu
const emoji = '\\p{Extended_Pictographic}\\p{Emoji_Presentation}\\p{Emoji_Modifier}'
const presentation = new RegExp(`(?<=[${emoji}\\p{S}])[\\ufe0e\\ufe0f]`, 'gu')
const ideographVariation = /(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]/gu
/** Joiners shape letters in many scripts and are used to combine emoji. */
const joiner = new RegExp(`(?<=[\\p{L}\\p{M}${emoji}])[\\u200c\\u200d](?=[\\p{L}\\p{M}${emoji}])`, 'gu')
const unseen = /\p{Default_Ignorable_Code_Point}/u
/** White space, characters without a glyph, and the blank Braille pattern. */
const blank = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Explains to the caller why a string cannot be used as a new name. Undefined if it can. */
export function newNameFault(text: string): string | undefined {
  if (!isIdentityText(text)) return 'Must not contain control characters or lone surrogates.'
  if (bidirectional.test(text)) return 'Must not contain characters that change the direction of text.'
  if (text.replace(blank, '') === '') return 'Must contain a visible character.'
  if (text.trim() !== text) return 'Must not begin or end with white space.'
  return unseen.test(withoutSeenSequences(text)) ? 'Must not contain invisible characters.' : undefined
}

/** The order matters, because a joiner may follow an allowed presentation selector. */
function withoutSeenSequences(text: string): string {
  return [joiner, taggedFlag, keycap, presentation, ideographVariation].reduce(
    (rest, allowed) => rest.replace(allowed, ''),
    text,
  )
}
