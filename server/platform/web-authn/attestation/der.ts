/** One element of ASN.1 as DER. */
export interface DerElement {
  /** Its tag number, regardless of the tag's class. */
  readonly tag: number
  readonly content: Uint8Array
  /** The whole element: tag, length and content. */
  readonly encoded: Uint8Array
}

const longTag = 0x1f

/** The consecutive elements in these bytes. @throws if the last one is truncated, or has an indefinite length */
export function elementsOf(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const [tag, afterTag] = tagAt(bytes, at)
    const [length, start] = lengthAt(bytes, afterTag)
    const end = start + length
    if (end > bytes.length) throw new Error('A DER element is truncated')
    elements.push({ tag, content: bytes.subarray(start, end), encoded: bytes.subarray(at, end) })
    at = end
  }
  return elements
}

function tagAt(bytes: Uint8Array, at: number): [tag: number, next: number] {
  const first = byteAt(bytes, at) & longTag
  if (first !== longTag) return [first, at + 1]
  let [tag, next] = [0, at + 1]
  for (; byteAt(bytes, next) & 0x80; next++) tag = tag * 128 + (byteAt(bytes, next) & 0x7f)
  return [tag * 128 + byteAt(bytes, next), next + 1]
}

function lengthAt(bytes: Uint8Array, at: number): [length: number, next: number] {
  const first = byteAt(bytes, at)
  if (first < 0x80) return [first, at + 1]
  const count = first & 0x7f
  if (count === 0 || count > 4) throw new Error('A DER length is not definite')
  let length = 0
  for (let i = 1; i <= count; i++) length = length * 256 + byteAt(bytes, at + i)
  return [length, at + 1 + count]
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new Error('A DER element is truncated')
  return byte
}
