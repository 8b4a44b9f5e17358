import { type LoopTurns, loopTurns } from '#server/platform/running/loop-turns.ts'

/** Lists longer than this are serialised item by item. */
const shortList = 200
const writtenAtOnce = 20

/**
 * Serialises a response like `JSON.stringify`. A long list at the top level or in a top-level member is written in slices of
 * the event loop, because a year of hours is 12 MB of text. Such responses are returned as bytes, because encoding the text
 * would block the event loop again.
 */
export function jsonText(result: unknown, turns: LoopTurns = loopTurns): string | Promise<Buffer> {
  return hasLongList(result) ? written(result, turns) : JSON.stringify(result)
}

function hasLongList(result: unknown): result is object {
  if (typeof result !== 'object' || result === null || 'toJSON' in result) return false
  return isLongList(result) || (!Array.isArray(result) && Object.values(result).some(isLongList))
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > shortList
}

async function written(result: object, turns: LoopTurns): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const piece of piecesOf(result)) {
    pieces.push(Buffer.from(piece))
    if (turns.isOver()) await turns.next()
  }
  return Buffer.concat(pieces)
}

function* piecesOf(result: object): Generator<string> {
  if (Array.isArray(result)) return yield* itemsOf(result)
  let before = '{'
  for (const [name, value] of Object.entries(result)) {
    const text = isLongList(value) ? '' : JSON.stringify(value)
    // Members without a value are omitted.
    if (text === undefined) continue
    yield `${before}${JSON.stringify(name)}:${text}`
    if (isLongList(value)) yield* itemsOf(value)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function* itemsOf(list: readonly unknown[]): Generator<string> {
  for (let from = 0; from < list.length; from += writtenAtOnce) {
    const items = JSON.stringify(list.slice(from, from + writtenAtOnce)).slice(1, -1)
    yield (from === 0 ? '[' : ',') + items
  }
  yield ']'
}
