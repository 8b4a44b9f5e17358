/** Bytes, or what is wrong with the text in words for the caller. */
export type Decoded = Uint8Array | { readonly fault: string }

/**
 * Decodes Base64 strictly. [Note: Ours] One text for each picture: the alphabet of RFC 4648 section 4, padded, without
 * white space, and with no bits after the last byte. Anything else is more likely a mistake than a picture.
 */
export function decodeBase64(text: string, mostBytes: number): Decoded {
  if (text === '') return { fault: 'Must not be empty.' }
  if (/^data:/i.test(text)) return { fault: 'Must be the Base64 alone, without a data: prefix.' }
  if (text.length > longestOf(mostBytes)) return tooLongFault(mostBytes)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return { fault: faultOf(text) }
  return bytes.length > mostBytes ? tooLongFault(mostBytes) : bytes
}

/** Characters of the longest text that encodes at most this number of bytes. */
export function longestOf(mostBytes: number): number {
  return Math.ceil(mostBytes / 3) * 4
}

export function tooLongFault(mostBytes: number): { readonly fault: string } {
  return { fault: `Must be at most ${sizeOf(mostBytes)}.` }
}

function faultOf(text: string): string {
  if (/\s/.test(text)) return 'Must be Base64 without white space.'
  if (/[-_]/.test(text)) return 'Must be Base64 with + and /, not the URL-safe alphabet.'
  if (/[^A-Za-z0-9+/=]/.test(text)) return 'Must be Base64.'
  if (text.length % 4 !== 0) return 'Must be Base64 of whole groups of four, padded with =.'
  return 'Must be Base64 that ends as an encoder ends it.'
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} kB` : `${bytes / 1024 / 1024} MiB`
}
