import { type AuditEvent, chained } from '../../../server/features/audit/chain.ts'
import type { LogBook } from '../../../server/features/audit/log/log-book.ts'
import type { Frame } from '../../../server/features/audit/segments/segments.ts'

const entriesAFrame = 1000
/** The number of frames written per flush. */
const framesAtOnce = 8
const actor = { kind: 'key', keyId: '0d4f7a52-6a0f-4a39-9d46-2f6f0a1c1d7e', tokenId: null } as const

/**
 * Writes `count` entries for an account directly as segments, with a checkpoint after every thousand, as the mover does, and the end in the store.
 * Each entry contains what a call during a visit leaves behind: ids, and a session's hash.
 */
export async function makeEntries(book: LogBook, accountId: string, count: number): Promise<void> {
  const { store, ends, frames, segments, now } = book
  const read = await ends.read(accountId)
  if (read === undefined) throw new Error('The account does not exist.')
  const { key, taken } = read.end
  let { sequence, hash } = read.end
  let lot: Frame[] = []
  for (let made = 0; made < count; made += entriesAFrame) {
    const time = new Date(now()).toISOString()
    const events = Array.from({ length: Math.min(entriesAFrame, count - made) }, (_, i) => ({
      time,
      ...eventOf(made + i),
    }))
    const entries = chained(accountId, key, { sequence, hash }, events)
    const last = entries.at(-1)!
    sequence = last.sequence
    hash = last.hash
    lot.push(frames.entries(accountId, entries))
    lot.push(frames.checkpoint(accountId, { sequence, hash, time, withdrawals: [] }))
    if (lot.length >= 2 * framesAtOnce || made + entriesAFrame >= count) {
      await segments.append(accountId, lot)
      lot = []
    }
  }
  await store.commit([ends.write(accountId, { sequence, hash, key, taken: taken ?? 0 })], [read.guard])
}

function eventOf(number: number): AuditEvent {
  const session = Buffer.alloc(32, number).toString('base64url')
  const resources = { verificationId: '5b1c0f4e-0c3e-4b5b-8a54-7e0f5a9a6f11', session }
  const operation = number % 2 === 0 ? 'initRedirectSession' : 'completeSession'
  return { operation, actor, resources, outcome: 'succeeded' }
}
