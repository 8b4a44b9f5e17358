import { createHash, createHmac } from 'node:crypto'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'

const lineFeed = 10
const signatureBytes = 43
const tornWord = 'torn'

/** What a line of a journal says, given without its end. */
export type JournalLine =
  | { readonly kind: 'entry'; readonly said: readonly [at: number, key: string, value: string | null] }
  /** A mark: whichever line has this digest was torn while it was written. */
  | { readonly kind: 'mark'; readonly digest: string }
  /** It was torn while it was written, as the mark at its end says. */
  | { readonly kind: 'torn' }
  /** Torn without a mark, altered, or of another deployment. */
  | { readonly kind: 'unread' }

/** Makes and reads the lines of a journal, each of which is signed with a key of the ring. */
export interface JournalLines {
  entry(at: number, key: string, value: string | null): Buffer
  /** Says of the bytes of a line that they were torn; stands right behind them, or on a line of its own. */
  tornMark(torn: Buffer): Buffer
  read(line: Buffer): JournalLine
  /** What to do about a line that cannot be read, in words: where an entry stands whole at its end, which a version before joined to it. Nothing elsewhere. */
  adviceOn(line: Buffer): string
}

/** The lines of the journals of one deployment; those that are made have their ends, those that are read have not. */
export function createJournalLines(keyRing: KeyRing): JournalLines {
  const key = keyRing.derive('journal')
  const signed = (content: Buffer) => createHmac('sha256', key).update(content).digest('base64url')
  const made = (said: unknown[]) => {
    const content = Buffer.from(JSON.stringify(said))
    return Buffer.concat([content, Buffer.from(` ${signed(content)}\n`)])
  }
  const tornMark = (torn: Buffer) => made([tornWord, digestOf(torn)])
  const markBytes = tornMark(Buffer.alloc(0)).length - 1

  function opened(line: Buffer): JournalLine | undefined {
    const end = line.length - signatureBytes - 1
    if (end < 2 || line[end] !== ' '.charCodeAt(0)) return undefined
    const content = line.subarray(0, end)
    if (!sameSecret(line.toString('latin1', end + 1), signed(content))) return undefined
    const said = JSON.parse(content.toString())
    return said[0] === tornWord ? { kind: 'mark', digest: said[1] } : { kind: 'entry', said }
  }

  function adviceOn(line: Buffer): string {
    const at = line.lastIndexOf('[')
    if (at < 1 || opened(line.subarray(at)) === undefined) return ''
    if (opened(line.subarray(0, at)) !== undefined)
      return ` Two whole entries stand in that line: begin a new line behind its first ${at} bytes.`
    return ` Its first ${at} bytes stand before an entry that is whole: if they are the beginning of an entry, which a kill or a full disk cut off, remove them.`
  }

  return {
    adviceOn,
    entry: (at, of, value) => made([at, of, value]),
    tornMark,
    read(line) {
      const found = opened(line)
      if (found !== undefined || line.length <= markBytes) return found ?? { kind: 'unread' }
      const at = line.length - markBytes
      const mark = opened(line.subarray(at))
      const isTorn = mark?.kind === 'mark' && mark.digest === digestOf(line.subarray(0, at))
      return { kind: isTorn ? 'torn' : 'unread' }
    },
  }
}

/** By which a mark names the line that was torn. */
export function digestOf(line: Buffer): string {
  return createHash('sha256').update(line).digest('hex')
}

/** What stands behind the last end of a line. */
export function behindLastLine(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.lastIndexOf(lineFeed) + 1)
}

/** The lines of a file, without their ends; only behind the last one may an end be missing. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly line: Buffer; readonly hasEnd: boolean }> {
  let left: Buffer[] = []
  for await (const chunk of chunks) {
    let at = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      yield { line: Buffer.concat([...left, chunk.subarray(at, end)]), hasEnd: true }
      left = []
      at = end + 1
    }
    left.push(chunk.subarray(at))
  }
  const line = Buffer.concat(left)
  if (line.length > 0) yield { line, hasEnd: false }
}
