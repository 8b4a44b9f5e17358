import { createHash, createHmac } from 'node:crypto'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'

const lineFeed = 10
const signatureBytes = 43
const tornWord = 'torn'

/** The parsed content of a journal line, without its terminator. */
export type JournalLine =
  | { readonly kind: 'entry'; readonly said: readonly [at: number, key: string, value: string | null] }
  /** A mark: the line with this digest was torn while it was being written. */
  | { readonly kind: 'mark'; readonly digest: string }
  /** The line was torn while it was being written, according to the mark at its end. */
  | { readonly kind: 'torn' }
  /** Torn without a mark, altered, or written by another deployment. */
  | { readonly kind: 'unread' }

/** Creates and parses a journal's lines, each signed with one of the ring's keys. */
export interface JournalLines {
  entry(at: number, key: string, value: string | null): Buffer
  /** Marks a line's bytes as torn. Appended directly to them, or written as a separate line. */
  tornMark(torn: Buffer): Buffer
  read(line: Buffer): JournalLine
  /** Advice on an unreadable line if it ends with a complete entry, which an earlier version appended to a torn line. Otherwise empty. */
  adviceOn(line: Buffer): string
}

/** The lines in one deployment's journals. Created lines include their terminators; parsed ones do not. */
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
      return ` That line contains two complete entries: insert a line break after its first ${at} bytes.`
    return ` Its first ${at} bytes precede a complete entry. If they are the beginning of an entry that a kill or a full disk cut off, remove them.`
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

/** The digest by which a mark identifies a torn line. */
export function digestOf(line: Buffer): string {
  return createHash('sha256').update(line).digest('hex')
}

/** The bytes after the last line terminator. */
export function behindLastLine(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.lastIndexOf(lineFeed) + 1)
}

/** A file's lines, without their terminators. Only the last one may lack one. */
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
