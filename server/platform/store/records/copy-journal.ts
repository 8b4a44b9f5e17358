import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createJournalLines, digestOf } from './journal-lines.ts'
import { inLots, type JournalPlace } from './journal-place.ts'

/** Copies the complete lines that another place lacks, in order, and returns how many. */
export async function copyJournal(from: JournalPlace, to: JournalPlace, keyRing: KeyRing): Promise<number> {
  if (!(await from.exists())) return 0
  const known = new Set<string>()
  if (await to.exists()) for await (const { line } of to.lines()) known.add(digestOf(line))
  const lines = createJournalLines(keyRing)
  let copied = 0
  for await (const some of inLots(from.lines())) {
    const missing = some.filter((line) => !known.has(digestOf(line)))
    if (missing.length === 0) continue
    await to.append(
      missing.map((line) => Buffer.concat([line, Buffer.from('\n')])),
      lines,
    )
    copied += missing.length
  }
  return copied
}
