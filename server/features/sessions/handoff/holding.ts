import { beginAgain } from '#models/rules/challenge/progress.ts'
import type { Handoff, SessionRecord } from '#server/features/sessions/record.ts'
import { Problem } from '#shared/problem.ts'

const neverHandedOver: Handoff = { holder: 0, taken: 0, codes: 0, codeDigest: null, number: null }

/** How the session passed on so far. */
export function handoffOf({ handoff }: SessionRecord): Handoff {
  return handoff ?? neverHandedOver
}

/**
 * [Note: One device submits] A token carries the number of its device, the session that of the device which holds it.
 * Both are compared in the record that the next commit is guarded by: of two devices at once, one finds it changed.
 */
export function isHeldBy(record: SessionRecord, device: number): boolean {
  return handoffOf(record).holder === device
}

/** The session on a page that begins its open step again. */
export function withTimeAgain(record: SessionRecord, now: number): SessionRecord {
  return { ...record, progress: beginAgain(record.progress, now) }
}

/** The device that the session is of: whoever opened its link last. */
export function openerOf(record: SessionRecord): number {
  return handoffOf(record).opener ?? 0
}

/** Whether this device learns what became of the session: the one that opened it always, another one while it holds it. */
export function mayLearn(record: SessionRecord, device: number): boolean {
  return device === openerOf(record) || isHeldBy(record, device)
}

/**
 * The session once its link was opened again. [Note: The last page has it] What the former page held, the new one holds, and the former one
 * nothing any more; another device that took the session over keeps it.
 */
export function openedAgain(record: SessionRecord): SessionRecord {
  const handoff = handoffOf(record)
  const opener = handoff.taken + 1
  const holder = handoff.holder === openerOf(record) ? opener : handoff.holder
  return { ...record, handoff: { ...handoff, holder, opener, taken: opener } }
}

/**
 * [Note: An ended token ends everywhere] Opening the link again takes the session from the former page, whose token reads and writes nothing any more. A
 * device that took the session over and gave it back may go on following it. @throws {Problem} 401
 */
export function refuseEndedToken(record: SessionRecord, device: number): void {
  const { followers = [] } = handoffOf(record)
  if (device !== openerOf(record) && !isHeldBy(record, device) && !followers.includes(device))
    throw new Problem('session_token_ended', 'The check was opened again elsewhere.')
}

/** @throws {Problem} 401 if the token has ended, 409 if another device holds the session */
export function refuseFollower(record: SessionRecord, device: number): void {
  refuseEndedToken(record, device)
  if (!isHeldBy(record, device)) {
    throw new Problem('session_handed_over', 'The session is now on another device.')
  }
}

/**
 * [Note: The way back is the opener's] The signed address goes to the device that opened the session and to no other:
 * whoever was handed a code by a stranger holds nothing that is worth anything elsewhere.
 */
export function wayBackOf(record: SessionRecord, device: number): string | null {
  return device === openerOf(record) ? (record.outcome?.redirectUrl ?? null) : null
}
