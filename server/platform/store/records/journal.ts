import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Write } from '#server/platform/store/store.ts'

/**
 * What a restore does again: records that were removed, and those that were withdrawn. [Note: Erasures outlive backups] A
 * backup brings back whom somebody has deleted since, and keys that were revoked. So every removal is noted in a file that
 * stands elsewhere, by the key of its record, which names nobody; and each record that is a revocation, sealed.
 */
export interface Journal {
  /** Notes what was written, before the caller is told that it was; `writes` as records are, not sealed. */
  note(writes: readonly Write[], sealed: (write: Write) => Uint8Array): Promise<void>
}

/** One record as it was left; undefined where it was removed. */
export interface JournalEntry {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly key: string
  /** As it stands in the store. */
  readonly value: Uint8Array | undefined
}

/** Removed all the time in the course of things, and of no meaning afterwards. */
const passingKinds = [
  'open-session',
  'pending-delivery',
  'precedence',
  'collection-erasure',
  'handoff',
  'attempt',
  'attempt-suspicion',
  'audit-entry',
  'audit-outbox',
  'audit-mover',
]
/** Records that say until when a right lasts, with the field of theirs that says so; of some every change counts. */
const withdrawnBy: Readonly<Record<string, string | null>> = {
  'api-key': 'revoked',
  kiosk: 'revoked',
  account: null,
  'operator-team': null,
  'operator-invitation': null,
}

/** Appends to a file, which several processes may share. */
export function createJournal(path: string, keyRing: KeyRing, now: Clock): Journal {
  return {
    async note(writes, sealed) {
      const noted = writes.filter(isNoted)
      if (noted.length === 0) return
      const lines = noted.map((write) => {
        const value = write.value === undefined ? null : Buffer.from(sealed(write)).toString('base64')
        return lineOf(keyRing, JSON.stringify([now(), write.key, value]))
      })
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(lines.join(''))
        await file.datasync()
      } finally {
        await file.close()
      }
    },
  }
}

/**
 * The entries from a time on, in their order. A last line that was cut short is left out.
 * @throws where there is no such file, or a line was altered or is of another deployment
 */
export async function* readJournal(
  path: string,
  keyRing: KeyRing,
  from: number,
): AsyncGenerator<JournalEntry> {
  if (!existsSync(path)) throw new Error(`There is no journal at ${path}.`)
  const file = await open(path, 'r')
  let number = 0
  let torn: number | undefined
  for await (const line of createInterface({ input: file.createReadStream() })) {
    number++
    if (torn !== undefined) throw alteredAt(torn)
    const content = line.slice(0, line.lastIndexOf(' '))
    if (!sameSecret(lineOf(keyRing, content), `${line}\n`)) {
      torn = number
      continue
    }
    const [at, key, value] = JSON.parse(content) as [number, string, string | null]
    if (at >= from) yield { at, key, value: value === null ? undefined : Buffer.from(value, 'base64') }
  }
  if (torn !== undefined && number === 1) throw alteredAt(torn)
}

function isNoted({ key, value }: Write): boolean {
  const kind = key.slice(0, key.indexOf('/'))
  if (value === undefined) return !passingKinds.includes(kind)
  const field = withdrawnBy[kind]
  if (field === undefined) return false
  return field === null || (JSON.parse(Buffer.from(value).toString()).value[field] ?? null) !== null
}

function lineOf(keyRing: KeyRing, content: string): string {
  const mac = createHmac('sha256', keyRing.derive('journal')).update(content).digest('base64url')
  return `${content} ${mac}\n`
}

function alteredAt(line: number): Error {
  return new Error(`The journal was altered at line ${line}, or is of another deployment.`)
}
