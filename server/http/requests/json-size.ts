const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

export interface JsonSize {
  /** How many lists and objects stand in one another at most. */
  readonly depth: number
  /** How many values there are, by the commas between them: at least as many as it holds in one list or object. */
  readonly values: number
}

/** Measures a JSON text in one pass, before anything is parsed. */
export function measureJson(text: string): JsonSize {
  let deepest = 0
  let depth = 0
  let values = 1
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === backslash) i++
      else if (unit === quote) inString = false
    } else if (unit === quote) inString = true
    else if (unit === comma) values++
    else if (openers.has(unit)) deepest = Math.max(deepest, ++depth)
    else if (closers.has(unit)) depth--
  }
  return { depth: deepest, values }
}
