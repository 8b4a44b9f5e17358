import {
  digestOfSession,
  type SessionRow,
  type SessionStanding,
  standingOf,
} from '#server/features/sessions/records/session-row.ts'
import { milestones } from '#shared/contract/sessions/session-ending.ts'
import { type getSessions, idBeginning, type ReviewState } from '#shared/contract/sessions/session-list.ts'
import type { QueryOf } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import { ownValues, type SharedValues } from './shared-values.ts'

type Query = QueryOf<typeof getSessions>

/** A list's query; sorted by age by default. */
export type Filters = Omit<Query, 'limit' | 'cursor' | 'order'> & Partial<Pick<Query, 'order'>>

/** The session data kept in memory: about 250 bytes each. */
export interface RegisterEntry extends Pick<SessionRow, 'verificationId' | 'kioskId' | 'source' | 'created'> {
  /** Changes if a visit continues on another device, or starts some time after it was created. */
  device: string | null
  browser: string | null
  /** The beginning of the ID, as a number; see `beginningOf`. */
  readonly beginning: number
  readonly digest: string
  /** Digests of the texts, so that the memory does not contain a list of persons. */
  readonly person: string | null
  readonly correlation: string | null
  standing: SessionStanding
  /** The last change that is remembered. Most sessions have none and need no lookup. */
  changed: number
}

const shortDigest = 12

/** Returns a predicate for rows in their current state. */
export function fitsRow(filters: Filters): (row: SessionRow) => boolean {
  const fits = fitting(filters)
  return (row) => fits(entryOf(row, digestOfSession(row.sessionId), 0), standing(row))
}

/**
 * [Note: Written out] These objects are scanned by the hundred thousand, so they are built member by member: reading an
 * object created by rest or spread is twenty times slower.
 */
export function standing(row: SessionRow): SessionStanding {
  const { state, result, reasons, outcome, review, doubt, came, assignedTo } = standingOf(row)
  const own = reasons?.length === 0 ? null : reasons
  return { state, result, reasons: own, outcome, review, doubt, came, assignedTo }
}

export function entryOf(
  row: SessionRow,
  digest: string,
  changed: number,
  values: SharedValues = ownValues,
): RegisterEntry {
  const { source, created, externalId, correlationId } = row
  const { device = null, browser = null } = row
  const person = short(externalId)
  const correlation = short(correlationId)
  return {
    digest,
    verificationId: values.name(row.verificationId),
    kioskId: values.name(row.kioskId),
    source,
    device,
    browser,
    beginning: beginningOf(row.sessionId),
    created,
    person,
    correlation,
    standing: values.standing(standing(row)),
    changed,
  }
}

function short(text: string | null): string | null {
  return text === null ? null : digestOfSession(text).slice(0, shortDigest)
}

export function fitting(filters: Filters): (entry: RegisterEntry, standing: SessionStanding) => boolean {
  const { verificationId, state, verificationResult, failedReason, kioskId, source, review } = filters
  const { device, browser, outcome, assignedTo } = filters
  const leastCame = filters.reached === undefined ? 0 : milestones.indexOf(filters.reached) + 1
  const [least, beyond] = beginningsFrom(filters.idBeginsWith ?? '')
  const [createdFrom, createdTo] = [timeOf(filters.createdFrom), timeOf(filters.createdTo)]
  const persons = identityForms(filters.externalId ?? '').map(short)
  const isAnybody = filters.externalId === undefined
  const correlation = short(filters.correlationId ?? null)
  return (entry, then) =>
    (verificationId === undefined || entry.verificationId === verificationId) &&
    (kioskId === undefined || entry.kioskId === kioskId) &&
    (source === undefined || entry.source === source) &&
    (device === undefined || entry.device === device) &&
    (browser === undefined || entry.browser === browser) &&
    (least === undefined || (entry.beginning >= least && entry.beginning < beyond!)) &&
    (isAnybody || persons.includes(entry.person)) &&
    (correlation === null || entry.correlation === correlation) &&
    (createdFrom === undefined || entry.created >= createdFrom) &&
    (createdTo === undefined || entry.created < createdTo) &&
    then.came >= leastCame &&
    (state === undefined || then.state === state) &&
    (review === undefined || isReview(review, then.review)) &&
    (outcome === undefined || then.outcome === outcome) &&
    (assignedTo === undefined || then.assignedTo === assignedTo) &&
    (verificationResult === undefined || then.result === verificationResult) &&
    (failedReason === undefined || (then.reasons?.includes(failedReason) ?? false))
}

/** Whatever is wanted also waits. Earlier releases did not distinguish the two. */
function isReview(asked: ReviewState, is: ReviewState | null): boolean {
  return asked === is || (asked === 'waiting' && is === 'wanted')
}

/** An ID's first twelve digits. IDs are random and hexadecimal, and more digits would not fit into a number. */
function beginningOf(sessionId: string): number {
  return Number.parseInt(sessionId.slice(0, idBeginning.maximum), 16)
}

/** The range in which IDs that begin with this text fall; empty for an empty text. */
function beginningsFrom(text: string): [number, number] | [] {
  if (text === '') return []
  const step = 16 ** (idBeginning.maximum - text.length)
  const least = Number.parseInt(text, 16) * step
  return [least, least + step]
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
