/** The decoded bytes, or a message that explains to the caller what is wrong. */
export type DecodedBytes = Uint8Array | { readonly fault: string }

const whiteSpace = /[\t\n\f\r ]+/g
const prefix = /^[\t\n\f\r ]*data:image\/[^,]{0,200};base64,/i
/** The longest accepted prefix in characters, excluding white space. */
export const longestPrefix = 'data:image/;base64,'.length + 200

/**
 * Decodes Base64 as encoders write it: line breaks, a `data:` prefix, either alphabet, with or without padding.
 * [Note: Ours] Anything an encoder would not write (mixed alphabets, wrong padding, bits after the last byte) is refused,
 * because it is more likely a damaged picture.
 * @param mostBytes limit for the decoded bytes
 */
export function decodeBase64(text: string, mostBytes: number): DecodedBytes {
  const bare = text.replace(prefix, '')
  const compact = holdsWhiteSpace(bare) ? bare.replace(whiteSpace, '') : bare
  if (compact === '') return { fault: 'Must not be empty.' }
  if (/^data:/i.test(compact)) return { fault: 'Must be Base64, alone or after data:image/…;base64,.' }
  if (compact.length > longestOf(mostBytes)) return tooLongFault(mostBytes)
  const padding = compact.endsWith('==') ? 2 : Number(compact.endsWith('='))
  if (padding > 0 && compact.length % 4 !== 0) return { fault: wrongPadding }
  const digits = compact.slice(0, compact.length - padding)
  const isAddressSafe = holdsAny(digits, '-_')
  if (isAddressSafe && holdsAny(digits, '+/')) return { fault: 'Must not mix + and / with - and _.' }
  const bytes = Buffer.from(digits, 'base64')
  // Encoding the bytes again has to yield the same digits, apart from padding.
  if (!bytes.toString(isAddressSafe ? 'base64url' : 'base64').startsWith(digits))
    return { fault: faultOf(digits) }
  return bytes.length > mostBytes ? tooLongFault(mostBytes) : bytes
}

export function holdsWhiteSpace(text: string): boolean {
  return holdsAny(text, '\t\n\f\r ')
}

/** One search per character takes a millisecond for 14 MB; a regular expression takes ten times longer. */
function holdsAny(text: string, characters: string): boolean {
  return [...characters].some((character) => text.includes(character))
}

/** The maximum length, in characters, of a string that decodes to this many bytes. */
export function longestOf(mostBytes: number): number {
  return Math.ceil(mostBytes / 3) * 4
}

export function tooLongFault(mostBytes: number): { readonly fault: string } {
  return { fault: `Must be at most ${sizeOf(mostBytes)}.` }
}

const wrongPadding = 'Must be padded with = to whole groups of four characters, or not at all.'

function faultOf(digits: string): string {
  if (/[^\w+/=-]/.test(digits)) return 'Must be Base64.'
  if (digits.includes('=')) return 'Must have nothing after the padding.'
  if (digits.length % 4 === 1) return 'Must be Base64 of whole bytes; a character is missing.'
  return 'Must be Base64 without extra bits in its last character.'
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} kB` : `${bytes / 1024 / 1024} MiB`
}
