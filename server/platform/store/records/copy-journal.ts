import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createJournalLines, digestOf } from './journal-lines.ts'
import type { JournalPlace } from './journal-place.ts'

/** Adds the whole lines that another place lacks, in their order; returns how many. */
export async function copyJournal(from: JournalPlace, to: JournalPlace, keyRing: KeyRing): Promise<number> {
  if (!(await from.exists())) return 0
  const known = new Set<string>()
  if (await to.exists()) for await (const { line } of to.lines()) known.add(digestOf(line))
  const lines = createJournalLines(keyRing)
  let copied = 0
  for await (const { line, hasEnd } of from.lines()) {
    const digest = digestOf(line)
    if (!hasEnd || known.has(digest)) continue
    known.add(digest)
    await to.append([Buffer.concat([line, Buffer.from('\n')])], lines)
    copied++
  }
  return copied
}
