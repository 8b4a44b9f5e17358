import { handoffOf, mayLearn, openerOf, withTimeAgain } from '#server/features/sessions/access/holder.ts'
import { busy, refuseEnded } from '#server/features/sessions/access/refusals.ts'
import type { ReadSession, SessionRead } from '#server/features/sessions/access/session-reader.ts'
import type { EarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { Handoff, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import { newHandoffNumber } from './handoff-code.ts'

/** [Note: Ours] A new code every three minutes needs only five. A person does not request more than that. */
const mostCodes = 20

interface Dependencies {
  readonly store: Pick<Store, 'commit'>
  readonly sessions: Pick<SessionStore, 'save'>
  readonly readSession: ReadSession
  /** Removes the pictures sent early by the device that loses the session. */
  readonly earlyPictures: Pick<EarlyPictures, 'drop'>
  readonly now: Clock
}

/**
 * Changes a session's handoff, and retries with the new record if another request was faster. `changed` returns undefined if
 * there is nothing to change.
 */
export type ChangeHandoff = (
  caller: Parameters<ReadSession>[0],
  changed: (record: SessionRecord) => Handoff | undefined,
) => Promise<SessionRecord>

export function createChangeHandoff(services: Dependencies): ChangeHandoff {
  return (caller, changed) =>
    retryOnConflict(async () => {
      const read = await services.readSession(caller)
      const handoff = changed(read.value)
      return handoff === undefined ? read.value : passOn(services, read, handoff)
    }, busy)
}

/** Saves a session with its handoff; undefined if another request was faster. Drops pictures from a device that loses the session. */
async function passOn(
  { store, sessions, earlyPictures, now }: Dependencies,
  read: SessionRead,
  handoff: Handoff,
): Promise<SessionRecord | undefined> {
  const moved = { ...read.value, handoff }
  const isElsewhere = handoff.holder !== handoffOf(read.value).holder
  const record = isElsewhere ? withTimeAgain(moved, now()) : moved
  const transaction = beginTransaction(store)
  if (isElsewhere) await earlyPictures.drop(transaction, record)
  sessions.save(transaction, read, record)
  return (await transaction.commit()) ? record : undefined
}

/** The handoff with a new code. @throws {Problem} if this device may not hand the session over */
export function withCode(record: SessionRecord, device: number, codeDigest: string, now: number): Handoff {
  if (device !== openerOf(record))
    throw new Problem('forbidden', 'Only the device that opened the session may do this.')
  refuseEnded(record, now)
  if (!isUntouched(record)) throw begun()
  const handoff = handoffOf(record)
  if (handoff.codes >= mostCodes) throw tooMany(record, now)
  return { ...handoff, codes: handoff.codes + 1, codeDigest }
}

/** The handoff after another device took the session over. @throws {Problem} if the code is not valid */
export function taken(record: SessionRecord, digest: string): Handoff {
  const handoff = handoffOf(record)
  const { codeDigest } = handoff
  const isGood = codeDigest !== null && sameDigest(codeDigest, digest) && isUntouched(record)
  if (!isGood) throw worthless()
  const device = handoff.taken + 1
  const followed = { ...handoff, followers: [...(handoff.followers ?? []), device] }
  return { ...followed, holder: device, taken: device, codeDigest: null, number: newHandoffNumber() }
}

/** The handoff after the opener took the session back; undefined if there is nothing to take back. */
export function takenBack(record: SessionRecord, device: number, now: number): Handoff | undefined {
  refuseEnded(record, now)
  if (!mayLearn(record, device))
    throw new Problem('session_handed_over', 'The session was handed over to another device.')
  const { holder, codeDigest, ...rest } = handoffOf(record)
  const opener = openerOf(record)
  if (holder === opener && codeDigest === null) return undefined
  return { ...rest, holder: opener, codeDigest: null, number: null }
}

/**
 * [Note: Handed over before the first picture] Two cameras show two different places, which fails every check, so a check
 * stays on the device where it began.
 */
function isUntouched({ state, frameCount, progress, before }: SessionRecord): boolean {
  const isOpen = state === 'Created' || (state === 'Started' && before === undefined)
  return isOpen && frameCount === 0 && progress.answered.length === 0
}

function begun(): Problem {
  return new Problem(
    'session_begun',
    'Pictures have already been submitted, so the session cannot move to another device.',
  )
}

/** Gives the same answer for every code that does not work, so that it reveals nothing about any session. */
export function worthless(): Problem {
  return new Problem('handoff_expired', 'The code is unknown, has been used or has expired.')
}

function tooMany({ expiresAt }: SessionRecord, now: number): Problem {
  return new Problem('too_many_requests', 'Too many codes have been created for this session.', {
    retryAfterInSeconds: Math.max(1, Math.ceil((expiresAt - now) / 1000)),
  })
}
