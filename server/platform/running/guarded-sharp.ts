/**
 * sharp, which reads JPEG and PNG and nothing else in this process. [Note: Loaded with the first picture] A start that draws none reads
 * a tenth less.
 */
export async function guardedSharp() {
  const { default: sharp } = await import('sharp')
  // What the header walk lets through is all that may be decoded.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
  return sharp
}
