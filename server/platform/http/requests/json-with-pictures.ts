import { randomUUID } from 'node:crypto'
import { endOfString } from './json-size.ts'

/** Strings of at least this length are cut out before parsing. */
const longFromCharacters = 64 * 1024

/**
 * Parses JSON like `JSON.parse`, but in a fraction of the time if most of it is pictures.
 * [Note: Pictures are lifted out] The parser visits every character of a string, which takes 11 ms for 10 MiB of Base64.
 * So long strings without escapes are cut out of the text between their quotes, and put back into the parsed value. JSON
 * forbids control characters in strings, but only white space is searched for here. The Base64 check refuses the others,
 * and no member accepts any other string of this length.
 * @throws {SyntaxError} if the rest is not JSON
 */
export function parseWithPictures(text: string, longFrom = longFromCharacters): unknown {
  const strings = longStringsIn(text, longFrom)
  if (strings.length === 0) return JSON.parse(text)
  const mark = randomUUID()
  const lifted = new Map<string, string>()
  let rest = ''
  let from = 0
  for (const [start, end] of strings) {
    const name = `${mark}/${lifted.size}`
    lifted.set(name, text.slice(start, end))
    rest += text.slice(from, start) + name
    from = end
  }
  rest += text.slice(from)
  return JSON.parse(rest, (_name, value) =>
    typeof value === 'string' ? (lifted.get(value) ?? value) : value,
  )
}

/** Strings with these characters are parsed in place: escapes, and white space that JSON forbids but the Base64 decoder would ignore. */
const unliftable = '\\\t\n\f\r'

/** @returns the ranges of long strings without escapes, excluding their quotes; member names are not included */
function longStringsIn(text: string, longFrom: number): [number, number][] {
  const found: [number, number][] = []
  // Finds the next occurrence of each once, however many strings precede it.
  const next = new Map([...unliftable].map((character) => [character, -1]))
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = endOfString(text, open)
    if (close - open > longFrom) {
      for (const [character, at] of next) if (at < open) next.set(character, placeOf(text, character, open))
      if (close < Math.min(...next.values()) && !isName(text, close)) found.push([open + 1, close])
    }
    open = text.indexOf('"', close + 1)
  }
  return found
}

/** A character's index, or past the end of the text if it does not occur. */
function placeOf(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}

function isName(text: string, close: number): boolean {
  const after = /[^\s]/g
  after.lastIndex = close + 1
  return after.exec(text)?.[0] === ':'
}
