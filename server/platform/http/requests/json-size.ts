const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

export interface JsonSize {
  /** The maximum nesting depth of lists and objects. */
  readonly depth: number
  /**
   * The number of values, estimated from the commas between them. It is never lower than the largest list's or object's size.
   * Each escaped quote adds one, because it interrupts the search for the end of its string.
   */
  readonly values: number
}

/** [Note: Ours] Far more than any request needs, and few enough to be parsed and checked quickly. */
export const jsonLimits: JsonSize = { depth: 32, values: 100_000 }

const unlimited: JsonSize = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

/**
 * Measures JSON text in one pass before it is parsed, and stops at the first excess, so that refusing a body never costs
 * more than accepting it. [Note: Pictures are leapt over] Nearly all of a large body is a single Base64 string, and the
 * engine finds its end about a hundred times faster than a loop over its characters.
 */
export function measureJson(text: string, most: JsonSize = unlimited): JsonSize {
  let deepest = 0
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length && deepest <= most.depth && values <= most.values; i++) {
    const unit = text.charCodeAt(i)
    if (unit === quote) {
      let end = text.indexOf('"', i + 1)
      for (; end >= 0 && isEscaped(text, end) && values <= most.values; end = text.indexOf('"', end + 1))
        values++
      i = end < 0 ? text.length : end
    } else if (unit === comma) values++
    else if (openers.has(unit)) deepest = Math.max(deepest, ++depth)
    else if (closers.has(unit)) depth--
  }
  return { depth: deepest, values }
}

/** @returns the closing quote's position, or the end of the text if there is none */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

/** True if an odd number of backslashes precedes the character, because two of them make one literal backslash. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === backslash) before--
  return (at - before) % 2 === 1
}
