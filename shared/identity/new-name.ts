import { isIdentityText } from './identity-text.ts'

/**
 * [Note: A name shows what it is] Two names that look the same but differ let one pose as the other. New names therefore hold nothing that is not
 * seen; what was stored before stays usable, also in writes that send it unchanged.
 */

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** A subdivision flag such as that of Scotland: a black flag, tag letters and their end. */
const taggedFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]+\u{e007f}/gu
const keycap = /[0-9#*]\ufe0f\u20e3/gu
const emoji = '\\p{Extended_Pictographic}\\p{Emoji_Presentation}\\p{Emoji_Modifier}'
const presentation = new RegExp(`(?<=[${emoji}\\p{S}])[\\ufe0e\\ufe0f]`, 'gu')
const ideographVariation = /(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]/gu
/** Joiners shape letters of many scripts, and join emoji into one. */
const joiner = new RegExp(`(?<=[\\p{L}\\p{M}${emoji}])[\\u200c\\u200d](?=[\\p{L}\\p{M}${emoji}])`, 'gu')
const unseen = /\p{Default_Ignorable_Code_Point}/u
/** White space, characters without a glyph, and the blank pattern of Braille. */
const blank = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The fault of a text as a new name, in words for the caller; undefined if it is fit. */
export function newNameFault(text: string): string | undefined {
  if (!isIdentityText(text)) return 'Must have no control character and no half of a character.'
  if (bidirectional.test(text)) return 'Must have no character that changes the direction of text.'
  if (text.replace(blank, '') === '') return 'Must show something.'
  if (text.trim() !== text) return 'Must not begin or end with white space.'
  return unseen.test(withoutSeenSequences(text)) ? 'Must have no character that is not seen.' : undefined
}

/** The order matters: a joiner may follow a presentation that was allowed. */
function withoutSeenSequences(text: string): string {
  return [joiner, taggedFlag, keycap, presentation, ideographVariation].reduce(
    (rest, allowed) => rest.replace(allowed, ''),
    text,
  )
}
