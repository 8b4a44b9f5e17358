import { randomBytes } from 'node:crypto'
import type { AuditHead } from '#server/features/audit/chain.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { unlessAltered } from './altered.ts'

/** The end of an account's log, as far as it has been moved to segments. */
export interface LogEnd extends AuditHead {
  /** The log's key, in hex. */
  readonly key: string
  /** How many entries were taken out of the outbox. */
  readonly taken: number
  /** Entries up to this one were archived. */
  readonly cut?: AuditHead
}

export interface ReadEnd {
  readonly end: LogEnd
  readonly guard: Guard
}

/** The ends of logs, each sealed along with its key. Without the secret, they cannot be forged. */
export interface LogEnds {
  write(accountId: string, end: LogEnd): Write
  absent(accountId: string): Guard
  /** Undefined if there is none. @throws if it was altered */
  read(accountId: string): Promise<ReadEnd | undefined>
  /** Like `read`, but returns what is wrong. */
  look(accountId: string): Promise<LogEnd | 'headMissing' | 'headAltered'>
}

export function createLogEnds(store: Store, keyRing: KeyRing): LogEnds {
  const ends = createTable<string>(store, 'audit-head')
  const opened = (accountId: string, sealed: string) =>
    JSON.parse(keyRing.open('audit-head', accountId, sealed).toString()) as LogEnd

  return {
    write: (accountId, end) =>
      ends.write(accountId, 'head', keyRing.seal('audit-head', accountId, Buffer.from(JSON.stringify(end)))),
    absent: (accountId) => ends.absent(accountId, 'head'),
    async read(accountId) {
      const read = await ends.read(accountId, 'head')
      return read && { end: opened(accountId, read.value), guard: read.guard }
    },
    async look(accountId) {
      const sealed = await unlessAltered(ends.get(accountId, 'head'))
      if (sealed === undefined) return 'headMissing'
      if (sealed === 'altered') return 'headAltered'
      return tryOrUndefined(() => opened(accountId, sealed)) ?? 'headAltered'
    },
  }
}

export function newEnd(): LogEnd {
  return { sequence: 0, hash: '', key: randomBytes(32).toString('hex'), taken: 0 }
}
