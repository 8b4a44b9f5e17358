import { hash } from 'node:crypto'
import type { FailedReason } from '#shared/contract/sessions/session.ts'
import { earlierOutcome } from './milestones.ts'
import type { SessionRow, SessionStanding } from './session-row.ts'
import { digestOfSession, standingOf } from './session-row.ts'

/** A row's attributes with few distinct values: every filter and sort key except persons, correlations, kiosks and times. */
export interface SessionClass
  extends Pick<SessionRow, 'verificationId' | 'source' | 'state' | 'result'>,
    Pick<SessionStanding, 'doubt' | 'outcome'> {
  /** How many days its rows are stored. */
  readonly days: number
  /** Empty if the session has none. */
  readonly reasons: readonly FailedReason[]
  readonly isReviewed: boolean
}

/** An index entry, with facts about its row. */
export interface PastEntry {
  /** Milliseconds since 1970. */
  readonly created: number
  readonly digest: string
  /** Its class's short name. */
  readonly className: string
}

/** Sorts after every character of a digest. */
export const behindAll = '~'

const none = '-'
const classNameLength = 12
const latest = 9_999_999_999_999
/** In byte order. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const mirroredLetter = new Map([...alphabet].map((letter, i) => [letter, alphabet.at(-1 - i)!]))

export function classOf(row: SessionRow, days: number): SessionClass {
  const { verificationId, source } = row
  const { state, result, reasons, outcome, review, doubt } = standingOf(row)
  const isReviewed = review === 'reviewed'
  return {
    verificationId,
    source,
    state,
    result,
    reasons: [...(reasons ?? [])].sort(),
    outcome,
    isReviewed,
    doubt,
    days,
  }
}

/**
 * Encodes a class as text, for the key of its count. [Note: Older rows keep their keys] An outcome is named only if earlier
 * releases would have called it something else.
 */
export function classText(one: SessionClass): string {
  const { verificationId, days, source, state, result, reasons, outcome, isReviewed, doubt } = one
  const named = outcome === earlierOutcome(one) ? [] : [outcome]
  const words = [days, source, state, result ?? none, reasons.join('+'), Number(isReviewed), doubt, ...named]
  return `${verificationId ?? none}/${words.join('.')}`
}

/** Parses a class from its text. */
export function classFrom(text: string): SessionClass {
  const at = text.lastIndexOf('/')
  const verificationId = text.slice(0, at)
  const [days, source, state, result, reasons, isReviewed, doubt, outcome] = text
    .slice(at + 1)
    .split('.') as string[]
  const judged = {
    state: state as SessionClass['state'],
    result: result === none ? null : (result as SessionClass['result']),
    reasons: reasons === '' ? [] : (reasons!.split('+') as FailedReason[]),
  }
  return {
    ...judged,
    verificationId: verificationId === none ? null : verificationId,
    days: Number(days),
    source: source as SessionClass['source'],
    outcome: (outcome as SessionClass['outcome'] | undefined) ?? earlierOutcome(judged),
    isReviewed: isReviewed === '1',
    doubt: Number(doubt),
  }
}

/** A class's short name in keys. */
export function classNameOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, classNameLength)
}

/** A row's place within an index: newest first in key order. Rows of the same time follow the order of the in-memory lists. */
export function placeOf({ created, digest }: Pick<PastEntry, 'created' | 'digest'>): string {
  return `${timeOf(created)}.${mirrored(digest)}`
}

/** Sorts after everything created at this time or later. */
export function behindTime(created: number): string {
  return timeOf(created) + behindAll
}

/** A key within an index, which `entryFrom` parses. */
export function entryText(row: SessionRow, className: string): string {
  return `${placeOf({ created: row.created, digest: digestOfSession(row.sessionId) })}.${className}`
}

export function entryFrom(text: string): PastEntry {
  const [inverted, digest, className] = text.split('.') as [string, string, string]
  return { created: latest - Number(inverted), digest: mirrored(digest), className }
}

function timeOf(created: number): string {
  return String(latest - created).padStart(13, '0')
}

function mirrored(digest: string): string {
  let turned = ''
  for (const letter of digest) turned += mirroredLetter.get(letter)
  return turned
}
