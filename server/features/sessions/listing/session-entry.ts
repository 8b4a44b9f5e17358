import { milestones, outcomeOf } from '#shared/contract/sessions/session-ending.ts'
import { type getSessions, idBeginning } from '#shared/contract/sessions/session-list.ts'
import type { QueryOf } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import { digestOfSession, type SessionRow, type Standing, standingOf } from './session-row.ts'
import { ownValues, type SharedValues } from './shared-values.ts'

type Query = QueryOf<typeof getSessions>

/** What a list is asked for; by age where no order is named. */
export type Filters = Omit<Query, 'limit' | 'cursor' | 'order'> & Partial<Pick<Query, 'order'>>

/** What is kept in memory of a session: about 250 bytes. */
export interface Entry extends Pick<SessionRow, 'verificationId' | 'kioskId' | 'source' | 'created'> {
  /** Another one where a visit goes on there, or begins after it was made. */
  device: string | null
  browser: string | null
  /** The beginning of the id, as a number: see `beginningOf`. */
  readonly beginning: number
  readonly digest: string
  /** Digests of the texts: a list of persons stays out of the memory. */
  readonly person: string | null
  readonly correlation: string | null
  standing: Standing
  /** The last change that is remembered of it: most have none, and are looked up nowhere. */
  changed: number
}

const shortDigest = 12

/** Whether a row fits, as it is. */
export function fitsRow(filters: Filters): (row: SessionRow) => boolean {
  const fits = fitting(filters)
  return (row) => fits(entryOf(row, digestOfSession(row.sessionId), 0), standing(row))
}

/** [Note: Written out] What is looked through by the hundred thousand is made member by member: an object of a rest or a spread is read twenty times as slowly. */
export function standing(row: SessionRow): Standing {
  const { state, result, reasons, review, doubt, came } = standingOf(row)
  return { state, result, reasons: reasons?.length === 0 ? null : reasons, review, doubt, came }
}

export function entryOf(
  row: SessionRow,
  digest: string,
  changed: number,
  values: SharedValues = ownValues,
): Entry {
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

export function fitting(filters: Filters): (entry: Entry, standing: Standing) => boolean {
  const { verificationId, state, verificationResult, failedReason, kioskId, source, review } = filters
  const { device, browser, outcome } = filters
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
    (review === undefined || then.review === review) &&
    (outcome === undefined || outcomeOf(then) === outcome) &&
    (verificationResult === undefined || then.result === verificationResult) &&
    (failedReason === undefined || (then.reasons?.includes(failedReason) ?? false))
}

/** The first twelve digits of an id, which is random and hexadecimal: so many fit in a number. */
function beginningOf(sessionId: string): number {
  return Number.parseInt(sessionId.slice(0, idBeginning.maximum), 16)
}

/** Between which beginnings those of the ids lie that begin with a text; nothing for an empty one. */
function beginningsFrom(text: string): [number, number] | [] {
  if (text === '') return []
  const step = 16 ** (idBeginning.maximum - text.length)
  const least = Number.parseInt(text, 16) * step
  return [least, least + step]
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
