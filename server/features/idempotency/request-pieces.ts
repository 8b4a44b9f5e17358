import { randomUUID } from 'node:crypto'

/** Strings longer than this are written in slices of this length. */
const sliceInCharacters = 128 * 1024

/** A request's query and body. */
export interface RequestContent {
  readonly query: string
  readonly body: unknown
}

/**
 * The text that identifies a request, in pieces, with sorted members so that equal requests have equal texts. Writing a
 * 10 MiB picture as JSON takes 15 ms, so long strings are left out at first and written in slices.
 */
export function* requestPieces(
  { query, body }: RequestContent,
  slice = sliceInCharacters,
): Generator<string> {
  const long: string[] = []
  const mark = randomUUID()
  const text = JSON.stringify([query, body ?? null], (_name, value) => {
    if (typeof value === 'string' && value.length > slice) {
      long.push(value)
      return mark
    }
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? inOrder(value) : value
  })
  const [first = '', ...rest] = text.split(mark)
  yield first
  for (const [i, piece] of rest.entries()) {
    yield* slicesOf(long[i]!, slice)
    yield piece
  }
}

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Encodes a string as JSON, without quotes. Keeps surrogate pairs together, because a lone surrogate would be escaped. */
function* slicesOf(text: string, slice: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = Math.min(from + slice, text.length)
    const to = end < text.length && end - from > 1 && isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
