/** An SVG or a PDF can be identified by this many leading bytes. */
const mostHead = 1024

/** File signatures with the position of their first byte. */
const signatures: readonly (readonly [kind: string, start: string, at: number])[] = [
  ['WebP', 'WEBP', 8],
  ['GIF', 'GIF87a', 0],
  ['GIF', 'GIF89a', 0],
  ['TIFF', 'II*\0', 0],
  ['TIFF', 'II+\0', 0],
  ['TIFF', 'MM\0*', 0],
  ['TIFF', 'MM\0+', 0],
  ['JPEG XL', '\xff\n', 0],
  ['JPEG XL', '\0\0\0\fJXL \r\n\x87\n', 0],
]

/**
 * The name of an unsupported picture format, so that an error can say what to convert. Undefined for anything else. Only reads the first bytes,
 * because a file that merely begins like a picture is rejected as well.
 */
export function otherPictureKind(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, mostHead))
  if (head.startsWith('ftyp', 4)) return kindOfBrands(head)
  const signed = signatures.find(([, start, at]) => head.startsWith(start, at))
  if (signed !== undefined) return signed[0]
  // Many files begin with these two letters, but in a bitmap, the four reserved bytes are zero.
  if (head.startsWith('BM') && head.startsWith('\0\0\0\0', 6)) return 'BMP'
  if (head.includes('%PDF-')) return 'PDF'
  return /^(?:\xef\xbb\xbf)?\s*</.test(head) && /<svg[\s/>]/i.test(head) ? 'SVG' : undefined
}

/** The error for a picture that is not of the expected kind, such as `a JPEG`. */
export function kindFault(kind: string, bytes: Uint8Array): { readonly fault: string } {
  const other = otherPictureKind(bytes)
  return { fault: other === undefined ? `Must be ${kind}.` : `Must be ${kind}; this is ${other}.` }
}

const avifBrands = /avi[fs]/
const heicBrands = /hei[cxms]|hev[cxms]|mif[12]|msf1/

/** Reads the brands in the `ftyp` box. A generic picture container counts as HEIC unless it names AVIF. */
function kindOfBrands(head: string): string | undefined {
  const length = head.charCodeAt(2) * 256 + head.charCodeAt(3)
  const brands = head.slice(8, Math.max(12, Math.min(length, head.length)))
  if (avifBrands.test(brands)) return 'AVIF'
  return heicBrands.test(brands) ? 'HEIC' : undefined
}
