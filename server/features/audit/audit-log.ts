import { createHmac, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { createBatcher } from '#server/platform/store/batcher.ts'
import { AlteredRecord } from '#server/platform/store/sealed/sealed-store.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type Table } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { AuditEntry, auditFaults } from '#shared/contract/account/audit.ts'

const pauseEvery = 500
const first = 'createAccount'

/** What happened, without what the log itself adds. */
export type AuditEvent = Pick<AuditEntry, 'operation' | 'actor' | 'resources' | 'outcome'>

/** The end of a log. */
export interface AuditHead {
  readonly sequence: number
  readonly hash: string
}

/** What an entry says was revoked. */
export interface Withdrawal {
  readonly kind: 'key' | 'kiosk'
  readonly id: string
  /** The sequence of the entry. */
  readonly at: number
}

export interface AuditVerdict {
  readonly valid: boolean
  readonly checked: number
  readonly fault: (typeof auditFaults)[number] | null
  readonly faultAt: number | null
  readonly head: AuditHead | null
}

/**
 * A log for each account that can be added to and read, and no more. [Note: A chain of entries] Each entry is sealed
 * together with the one before by a key of the log; the key and the end of the log stand apart, sealed under the master
 * secret. So who can write to the store but lacks that secret can neither alter, remove, add nor move an entry unnoticed.
 */
export interface AuditLog {
  /** The writes that begin a log, for the commit that makes the account. */
  begin(accountId: string, event: Omit<AuditEvent, 'operation'>): Write[]
  /** Adds an entry; those that arrive while a commit is under way share the next one. */
  append(accountId: string, event: AuditEvent): Promise<void>
  /** Newest first, before a sequence where one is given. */
  page(accountId: string, limit: number, before: number | undefined): Promise<AuditEntry[]>
  /** Walks the whole chain; also checks that an entry still has the hash that was kept elsewhere. */
  verify(accountId: string, kept?: AuditHead): Promise<ChainVerdict>
}

/** The verdict on a chain, and what its entries say was revoked; all of it where the chain is whole. */
export interface ChainVerdict extends AuditVerdict {
  readonly withdrawals: readonly Withdrawal[]
}

interface Sealed extends AuditHead {
  /** The key of the log, hex. */
  readonly key: string
}

/** Where entries and heads are kept, and what heads are sealed with. */
interface Book {
  readonly store: Store
  readonly entries: Table<AuditEntry>
  readonly heads: Table<string>
  readonly keyRing: KeyRing
  readonly now: Clock
}

/** Told of each new end of a log, and of what its new entries say was revoked. */
export type OnAuditHead = (accountId: string, head: AuditHead, withdrawals: readonly Withdrawal[]) => void

export function createAuditLog(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  onHead: OnAuditHead = () => undefined,
): AuditLog {
  const entries = createTable<AuditEntry>(store, 'audit-entry')
  const heads = createTable<string>(store, 'audit-head')
  const book: Book = { store, entries, heads, keyRing, now }

  const append = createBatcher(async (accountId, events: readonly AuditEvent[]) => {
    const head = await retryOnConflict(
      () => tryToAppend(book, accountId, events),
      () => new Error('The audit log could not be added to'),
    )
    onHead(accountId, head, withdrawalsIn(events, head.sequence))
    return events.map(() => undefined)
  })

  return {
    begin: (accountId, event) => extend(book, accountId, newHead(), [{ operation: first, ...event }]).writes,
    append,
    async page(accountId, limit, before) {
      const sealed = await heads.get(accountId, 'head')
      const end = sealed === undefined ? 0 : openHead(book, accountId, sealed).sequence
      const newest = Math.min(end, (before ?? end + 1) - 1)
      const found: AuditEntry[] = []
      for (let at = newest; at > 0 && found.length < limit; at--) {
        const entry = await entries.get(accountId, String(at))
        if (entry !== undefined) found.push(entry)
      }
      return found
    },
    verify: (accountId, kept) => verify(book, accountId, kept),
  }
}

function newHead(): Sealed {
  return { sequence: 0, hash: '', key: randomBytes(32).toString('hex') }
}

function openHead({ keyRing }: Book, accountId: string, sealed: string): Sealed {
  return JSON.parse(keyRing.open('audit-head', accountId, sealed).toString()) as Sealed
}

/** The writes that add events after a head, and the guards that no entry is overwritten. */
function extend(
  { entries, heads, keyRing, now }: Book,
  accountId: string,
  { key, ...head }: Sealed,
  events: readonly AuditEvent[],
) {
  const writes: Write[] = []
  const guards: Guard[] = []
  let { sequence, hash } = head
  for (const event of events) {
    const entry = { sequence: ++sequence, time: new Date(now()).toISOString(), ...event }
    hash = hashOf(accountId, key, hash, entry)
    writes.push(entries.write(accountId, String(sequence), { ...entry, hash }))
    guards.push(entries.absent(accountId, String(sequence)))
  }
  const sealed = keyRing.seal('audit-head', accountId, Buffer.from(JSON.stringify({ sequence, hash, key })))
  writes.push(heads.write(accountId, 'head', sealed))
  return { writes, guards, end: { sequence, hash } }
}

async function tryToAppend(book: Book, accountId: string, events: readonly AuditEvent[]) {
  const { store, heads } = book
  const read = await heads.read(accountId, 'head')
  const head = read === undefined ? newHead() : openHead(book, accountId, read.value)
  const { writes, guards, end } = extend(book, accountId, head, events)
  const unchanged = read?.guard ?? heads.absent(accountId, 'head')
  return (await store.commit(writes, [unchanged, ...guards])) ? end : undefined
}

async function verify(book: Book, accountId: string, kept: AuditHead | undefined): Promise<ChainVerdict> {
  const { entries, heads } = book
  const sealed = await unlessAltered(heads.get(accountId, 'head'))
  if (sealed === undefined) return faulty('headMissing', null, 0, null)
  if (sealed === 'altered') return faulty('headAltered', null, 0, null)
  const head = tryOrUndefined(() => openHead(book, accountId, sealed))
  if (head === undefined) return faulty('headAltered', null, 0, null)
  const { sequence, hash } = head
  const end = { sequence, hash }
  const walked = await walk(entries, accountId, head, kept)
  if (walked.fault !== null) return faulty(walked.fault, walked.at, walked.at - 1, end)
  if (kept !== undefined && kept.sequence > sequence) return faulty('missing', sequence + 1, sequence, end)
  const beyond = await entries.get(accountId, String(sequence + 1))
  if (beyond !== undefined && !(await leadsBeyond(book, accountId, sequence)))
    return faulty('headAltered', sequence + 1, sequence, end)
  const { withdrawals } = walked
  return { valid: true, checked: sequence, fault: null, faultAt: null, head: end, withdrawals }
}

/** [Note: A log grows while it is walked] An entry behind the end that was read is right where the end has moved on meanwhile. */
async function leadsBeyond(book: Book, accountId: string, sequence: number): Promise<boolean> {
  const sealed = await book.heads.get(accountId, 'head')
  const head = sealed === undefined ? undefined : tryOrUndefined(() => openHead(book, accountId, sealed))
  return head !== undefined && head.sequence > sequence
}

/** The first entry that is not as it must be. */
async function walk(
  entries: Table<AuditEntry>,
  accountId: string,
  head: Sealed,
  kept: AuditHead | undefined,
) {
  let hash = ''
  const withdrawals: Withdrawal[] = []
  for (let at = 1; at <= head.sequence; at++) {
    const entry = await unlessAltered(entries.get(accountId, String(at)))
    if (entry === undefined) return { fault: 'missing' as const, at, withdrawals }
    if (entry === 'altered') return { fault: 'altered' as const, at, withdrawals }
    hash = hashOf(accountId, head.key, hash, entry)
    const isAltered = entry.sequence !== at || !sameSecret(entry.hash, hash)
    if (isAltered || (at === head.sequence && hash !== head.hash))
      return { fault: 'altered' as const, at, withdrawals }
    const isAnother = at === kept?.sequence && kept.hash !== hash
    if (isAnother || (at === 1 && entry.operation !== first))
      return { fault: 'rewritten' as const, at, withdrawals }
    withdrawals.push(...withdrawalsOf(entry))
    if (at % pauseEvery === 0) await setImmediate()
  }
  return { fault: null, at: 0, withdrawals }
}

/** What was read, or `altered` where the seal of the store does not open it. @throws whatever else goes wrong */
async function unlessAltered<T>(read: Promise<T>): Promise<T | 'altered'> {
  return read.catch((error: unknown) => {
    if (error instanceof AlteredRecord) return 'altered'
    throw error
  })
}

/** What the last entries of a log, which ends here, say. */
function withdrawalsIn(events: readonly AuditEvent[], end: number): Withdrawal[] {
  return events.flatMap((event, i) => withdrawalsOf({ ...event, sequence: end - events.length + 1 + i }))
}

function withdrawalsOf({
  operation,
  outcome,
  resources,
  sequence: at,
}: AuditEvent & Pick<AuditEntry, 'sequence'>): Withdrawal[] {
  const { keyId, kioskId } = resources
  if (outcome !== 'succeeded') return []
  if (operation === 'revokeKey' && keyId !== undefined) return [{ kind: 'key', id: keyId, at }]
  if (operation === 'revokeKiosk' && kioskId !== undefined) return [{ kind: 'kiosk', id: kioskId, at }]
  return []
}

/** Every part of an entry, in one order, with the hash of the one before. */
function hashOf(accountId: string, key: string, before: string, entry: Omit<AuditEntry, 'hash'>): string {
  const { sequence, time, operation, actor, resources, outcome } = entry
  const named = Object.entries(resources).sort(([a], [b]) => (a < b ? -1 : 1))
  const { operator } = actor
  const person = operator === undefined ? [] : [operator.operatorId, operator.name]
  const who = [actor.kind, actor.keyId, actor.tokenId, ...person]
  const content = JSON.stringify([accountId, sequence, before, time, operation, who, named, outcome])
  return createHmac('sha256', Buffer.from(key, 'hex')).update(content).digest('base64url')
}

function faulty(
  fault: AuditVerdict['fault'],
  faultAt: number | null,
  checked: number,
  head: AuditHead | null,
): ChainVerdict {
  return { valid: false, checked, fault, faultAt, head, withdrawals: [] }
}
