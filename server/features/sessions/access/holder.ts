import { beginAgain } from '#models/rules/challenge/progress.ts'
import type { Handoff, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { Problem } from '#shared/problem.ts'

const neverHandedOver: Handoff = { holder: 0, taken: 0, codes: 0, codeDigest: null, number: null }

/** The session's handoffs so far. */
export function handoffOf({ handoff }: SessionRecord): Handoff {
  return handoff ?? neverHandedOver
}

/**
 * [Note: One device submits] A token contains its device's number, and the session contains the number of the device that
 * holds it. The record that guards the next commit compares them, so if two devices act at once, one finds it changed.
 */
export function isHeldBy(record: SessionRecord, device: number): boolean {
  return handoffOf(record).holder === device
}

/** The session on a page that restarts its open step. */
export function withTimeAgain(record: SessionRecord, now: number): SessionRecord {
  return { ...record, progress: beginAgain(record.progress, now) }
}

/** The device that owns the session: the one that opened the link last. */
export function openerOf(record: SessionRecord): number {
  return handoffOf(record).opener ?? 0
}

/** True if this device may learn the result. The opener always may; another device may while it holds the session. */
export function mayLearn(record: SessionRecord, device: number): boolean {
  return device === openerOf(record) || isHeldBy(record, device)
}

/**
 * The session after its link was opened again. [Note: The last page has it] If the earlier page held the session, the new
 * page takes it over. If another device had taken it over, that device keeps it.
 */
export function openedAgain(record: SessionRecord): SessionRecord {
  const handoff = handoffOf(record)
  const opener = handoff.taken + 1
  const holder = handoff.holder === openerOf(record) ? opener : handoff.holder
  return { ...record, handoff: { ...handoff, holder, opener, taken: opener } }
}

/**
 * [Note: An ended token ends everywhere] Opening the link again takes the session from the earlier page, and its token can
 * no longer read or write. A device that took the session over and gave it back may still follow it. @throws
 * {Problem} 401
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
 * [Note: The way back is the opener's] Only the device that opened the session gets the signed address, so a stranger's
 * code yields nothing that works elsewhere.
 */
export function wayBackOf(record: SessionRecord, device: number): string | null {
  return device === openerOf(record) ? (record.outcome?.redirectUrl ?? null) : null
}
