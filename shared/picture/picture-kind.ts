/** Bytes at the beginning in which an SVG or a PDF names itself. */
const mostHead = 1024

/** First bytes of files by their kind, and the position of these bytes. */
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
 * The name of a picture format that is not taken, for an error that tells the caller what to convert; undefined for anything else. It reads only the
 * first bytes: a file that merely begins like one of these is not taken either.
 */
export function otherPictureKind(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, mostHead))
  if (head.startsWith('ftyp', 4)) return kindOfBrands(head)
  const signed = signatures.find(([, start, at]) => head.startsWith(start, at))
  if (signed !== undefined) return signed[0]
  // Two letters begin many files; the four reserved bytes of a bitmap are zero.
  if (head.startsWith('BM') && head.startsWith('\0\0\0\0', 6)) return 'BMP'
  if (head.includes('%PDF-')) return 'PDF'
  return /^(?:\xef\xbb\xbf)?\s*</.test(head) && /<svg[\s/>]/i.test(head) ? 'SVG' : undefined
}

/** The fault of a picture that must be of a kind, such as `a JPEG`. */
export function kindFault(kind: string, bytes: Uint8Array): { readonly fault: string } {
  const other = otherPictureKind(bytes)
  return { fault: other === undefined ? `Must be ${kind}.` : `Must be ${kind}; this is ${other}.` }
}

const avifBrands = /avi[fs]/
const heicBrands = /hei[cxms]|hev[cxms]|mif[12]|msf1/

/** By the brands of the file type box; containers of pictures in general are HEIC unless they name AVIF. */
function kindOfBrands(head: string): string | undefined {
  const length = head.charCodeAt(2) * 256 + head.charCodeAt(3)
  const brands = head.slice(8, Math.max(12, Math.min(length, head.length)))
  if (avifBrands.test(brands)) return 'AVIF'
  return heicBrands.test(brands) ? 'HEIC' : undefined
}
