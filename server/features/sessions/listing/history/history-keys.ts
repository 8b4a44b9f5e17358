import { hash } from 'node:crypto'
import type { SessionRow, Standing } from '#server/features/sessions/listing/session-row.ts'
import { digestOfSession, standingOf } from '#server/features/sessions/listing/session-row.ts'

/** What a row is known by of which few kinds exist: everything that can be filtered or sorted by, but persons, correlations, kiosks and times. */
export interface SessionClass
  extends Pick<SessionRow, 'verificationId' | 'source' | 'state' | 'result'>,
    Pick<Standing, 'doubt'> {
  /** For how many days its rows are kept. */
  readonly days: number
  /** Empty where there is none. */
  readonly reasons: readonly string[]
  readonly isReviewed: boolean
}

/** What an entry of an index says of its row. */
export interface PastEntry {
  /** Milliseconds since 1970. */
  readonly created: number
  readonly digest: string
  /** The short name of its class. */
  readonly className: string
}

/** Behind every character of a digest. */
export const behindAll = '~'

const none = '-'
const classNameLength = 12
const latest = 9_999_999_999_999
/** As their bytes are ordered. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const mirroredLetter = new Map([...alphabet].map((letter, i) => [letter, alphabet.at(-1 - i)!]))

export function classOf(row: SessionRow, days: number): SessionClass {
  const { verificationId, source } = row
  const { state, result, reasons, review, doubt } = standingOf(row)
  const isReviewed = review === 'reviewed'
  return {
    verificationId,
    source,
    state,
    result,
    reasons: [...(reasons ?? [])].sort(),
    isReviewed,
    doubt,
    days,
  }
}

/** A class in words, for the key under which it is counted. */
export function classText(one: SessionClass): string {
  const { verificationId, days, source, state, result, reasons, isReviewed, doubt } = one
  const words = [days, source, state, result ?? none, reasons.join('+'), Number(isReviewed), doubt]
  return `${verificationId ?? none}/${words.join('.')}`
}

/** The class of a text. */
export function classFrom(text: string): SessionClass {
  const at = text.lastIndexOf('/')
  const verificationId = text.slice(0, at)
  const [days, source, state, result, reasons, isReviewed, doubt] = text.slice(at + 1).split('.') as string[]
  return {
    verificationId: verificationId === none ? null : verificationId,
    days: Number(days),
    source: source as SessionClass['source'],
    state: state as SessionClass['state'],
    result: result === none ? null : (result as SessionClass['result']),
    reasons: reasons === '' ? [] : reasons!.split('+'),
    isReviewed: isReviewed === '1',
    doubt: Number(doubt),
  }
}

/** What stands for a class in keys. */
export function classNameOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, classNameLength)
}

/**
 * Where a row stands within an index: the newest first, as keys are read, and of one time in the order in which lists in memory have them.
 */
export function placeOf({ created, digest }: Pick<PastEntry, 'created' | 'digest'>): string {
  return `${timeOf(created)}.${mirrored(digest)}`
}

/** Behind everything that was created then or later. */
export function behindTime(created: number): string {
  return timeOf(created) + behindAll
}

/** The key within an index; `entryFrom` reads it. */
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
