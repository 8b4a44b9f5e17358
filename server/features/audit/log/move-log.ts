import type { AuditEntry } from '#shared/contract/account/audit.ts'
import { unlessAltered } from './altered.ts'
import { type Withdrawal, withdrawalsOf } from './chain.ts'
import { type LogBook, type OnAuditHead, waitingEntries } from './log-book.ts'
import { type LogEnd, newEnd } from './log-end.ts'
import { readRecent } from './recent.ts'
import { createWalk } from './walk.ts'

/** A checkpoint comes after as many entries, or after as long. */
const checkpointEvery = 1000
const checkpointAfterMilliseconds = 60_000
const formerAtOnce = 500

/** What this process knows of a log that it moves. */
interface Known {
  sequence: number
  hash: string
  withdrawals: readonly Withdrawal[]
  /** Entries since the last checkpoint, and when the first of them came; milliseconds since 1970. */
  since: number
  from: number
  /** Nothing is signed that does not lead on from what was signed before. */
  isSound: boolean
}

/** Moves entries from the outbox to the segments, and signs where logs are. */
export interface LogMover {
  /** Moves all that waits of an account. */
  move(accountId: string): Promise<void>
  /** Moves all that waits of every account; signs what is due, or all that can be. */
  moveAll(signs: 'due' | 'all'): Promise<void>
}

/**
 * [Note: Nothing is lost between outbox and segment] Entries are on the disk before they leave the outbox, in one commit with the new end of the log. Whoever is killed
 * between leaves them in both places, with the same sequences and hashes: they are read once.
 */
export function createLogMover(book: LogBook, onHead: OnAuditHead): LogMover {
  const { store, outbox, ends, frames, segments, now } = book
  const known = new Map<string, Known>()

  async function move(accountId: string): Promise<void> {
    for (;;) {
      const read = await ends.read(accountId)
      const end = read?.end ?? newEnd()
      const guard = read?.guard ?? ends.absent(accountId)
      if (end.taken === undefined) {
        await importFormer(accountId, end)
        if (
          !(await store.commit([ends.write(accountId, { ...end, taken: 0, former: end.sequence })], [guard]))
        )
          known.delete(accountId)
        continue
      }
      if (end.former !== undefined) {
        await removeFormer(accountId, end.former)
        const { former: _gone, ...rest } = end
        await store.commit([ends.write(accountId, rest)], [guard])
        continue
      }
      const log = await knownOf(accountId, end)
      const room = checkpointEvery - log.since
      const waiting = await outbox.after(accountId, end.taken, room)
      if (waiting.length === 0) return
      const { entries, numbers, holes } = waitingEntries(accountId, end, waiting)
      if (holes.length > 0) log.isSound = false
      if (entries.length > 0) await segments.append(accountId, [frames.entries(accountId, entries)])
      const taken = waiting.at(-1)!.number
      const { sequence, hash } = entries.at(-1) ?? end
      const moved = { ...end, sequence: Math.max(sequence, end.sequence + taken - end.taken), hash, taken }
      const writes = [ends.write(accountId, moved), ...outbox.remove(accountId, numbers)]
      if (!(await store.commit(writes, [guard]))) {
        known.delete(accountId)
        continue
      }
      const withdrawals = entries.flatMap(withdrawalsOf)
      note(log, moved, entries, withdrawals)
      onHead(accountId, { sequence: moved.sequence, hash }, withdrawals)
      if (log.since >= checkpointEvery) await sign(accountId, log)
      if (waiting.length < room) return
    }
  }

  function note(
    log: Known,
    { sequence, hash }: Pick<LogEnd, 'sequence' | 'hash'>,
    entries: readonly AuditEntry[],
    withdrawals: readonly Withdrawal[],
  ): void {
    if (log.since === 0) log.from = now()
    log.since += entries.length
    log.sequence = sequence
    log.hash = hash
    if (withdrawals.length > 0) log.withdrawals = [...log.withdrawals, ...withdrawals]
  }

  async function knownOf(accountId: string, end: LogEnd): Promise<Known> {
    const log = known.get(accountId)
    if (log?.sequence === end.sequence && log.hash === end.hash) return log
    const fresh = await readKnown(accountId, end)
    known.set(accountId, fresh)
    return fresh
  }

  /** From the newest checkpoint on. */
  async function readKnown(accountId: string, end: LogEnd): Promise<Known> {
    const recent = await readRecent(book, accountId, end)
    const from = recent?.checkpoint ?? { sequence: 0, hash: '' }
    const walk = createWalk({ accountId, key: end.key, from })
    const entries = (recent?.entries ?? []).filter(({ sequence }) => sequence <= end.sequence)
    const isSound = recent !== undefined && entries.every((entry) => walk.entry(entry) === undefined)
    const { sequence, hash } = end
    const since = Math.min(entries.length, checkpointEvery - 1)
    return {
      sequence,
      hash,
      withdrawals: walk.withdrawals,
      since,
      from: now(),
      isSound: isSound && walk.head.hash === hash,
    }
  }

  async function sign(accountId: string, log: Known): Promise<void> {
    if (log.isSound && log.since > 0) {
      const { sequence, hash, withdrawals } = log
      const time = new Date(now()).toISOString()
      await segments.append(accountId, [frames.checkpoint(accountId, { sequence, hash, time, withdrawals })])
    }
    log.since = 0
  }

  /** [Note: Entries of programs before] They are moved as they are, once; what cannot be read is left out, and found by whoever verifies. */
  async function importFormer(accountId: string, end: LogEnd): Promise<void> {
    const durable = await lastInSegments(accountId, end.sequence)
    const log = await readKnown(accountId, { ...end, ...durable })
    for (let at = durable.sequence + 1; at <= end.sequence; at += formerAtOnce) {
      const places = Array.from({ length: Math.min(formerAtOnce, end.sequence - at + 1) }, (_, i) => at + i)
      const read = await Promise.all(
        places.map((place) => unlessAltered(book.former.get(accountId, String(place)))),
      )
      const entries = read.filter((entry) => entry !== undefined && entry !== 'altered')
      if (entries.length === 0) continue
      if (entries.length < places.length) log.isSound = false
      const walk = createWalk({ accountId, key: end.key, from: log })
      log.isSound &&= entries.every((entry) => walk.entry(entry) === undefined)
      await segments.append(accountId, [frames.entries(accountId, entries)])
      note(log, entries.at(-1)!, entries, entries.flatMap(withdrawalsOf))
      if (log.since >= checkpointEvery) await sign(accountId, log)
    }
    await sign(accountId, log)
    known.set(accountId, log)
  }

  async function lastInSegments(accountId: string, upTo: number) {
    for await (const frame of segments.descending(accountId, upTo)) {
      const entry = frames.openEntries(accountId, frame)?.findLast(({ sequence }) => sequence <= upTo)
      if (entry !== undefined) return { sequence: entry.sequence, hash: entry.hash }
    }
    return { sequence: 0, hash: '' }
  }

  async function removeFormer(accountId: string, through: number): Promise<void> {
    for (let at = 1; at <= through; at += formerAtOnce) {
      const places = Array.from({ length: Math.min(formerAtOnce, through - at + 1) }, (_, i) => at + i)
      await store.commit(
        places.map((place) => book.former.write(accountId, String(place), undefined)),
        [],
      )
    }
  }

  return {
    move,
    async moveAll(signs) {
      for (const accountId of await outbox.accounts()) await move(accountId)
      for (const [accountId, log] of known) {
        const isDue = now() - log.from >= checkpointAfterMilliseconds
        if (log.since > 0 && (signs === 'all' || isDue)) await sign(accountId, log)
      }
    },
  }
}
