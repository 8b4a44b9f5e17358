import { createReadStream, existsSync } from 'node:fs'
import { digestOf, linesOf } from './journal-lines.ts'

/**
 * The digest of the last whole line of a journal: by it a backup says from where on the journal tells what happened later. [Note: A line, and no clock] What
 * was removed and made again under one name just before the backup would be removed by a restore that goes by times, since clocks of two machines differ.
 * Undefined if there is no journal, or no line in it yet.
 */
export async function lastLineOf(path: string | undefined): Promise<string | undefined> {
  let last: Buffer | undefined
  for await (const { line, hasEnd } of linesIn(path)) if (hasEnd) last = line
  return last && digestOf(last)
}

/** The number of the first line with this digest; 0 if there is none, as in a journal that was begun after the backup. */
export async function lineNumberOf(path: string, digest: string | undefined): Promise<number> {
  if (digest === undefined) return 0
  let number = 0
  for await (const { line } of linesIn(path)) {
    number++
    if (digestOf(line) === digest) return number
  }
  return 0
}

async function* linesIn(path: string | undefined) {
  if (path !== undefined && existsSync(path)) yield* linesOf(createReadStream(path))
}
