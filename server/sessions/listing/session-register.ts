import type { getSessions } from '#shared/contract/sessions/session-list.ts'
import type { QueryOf } from '#shared/endpoint.ts'
import { digestOfSession, type SessionRow, type Standing } from './session-row.ts'
import type { Change } from './session-rows.ts'

export type Filters = Omit<QueryOf<typeof getSessions>, 'limit' | 'cursor'>

/** Where a page ended, and the last change that the first page knew. */
export interface Cursor {
  readonly created: number
  readonly digest: string
  readonly asOf: number
}

export interface Page {
  readonly digests: readonly string[]
  /** Null where nothing follows. */
  readonly next: Cursor | null
}

/** What is kept in memory of a session: about 250 bytes. */
interface Entry extends Pick<SessionRow, 'verificationId' | 'kioskId' | 'source' | 'created'> {
  readonly digest: string
  /** Digests of the texts: a list of persons stays out of the memory. */
  readonly person: string | null
  readonly correlation: string | null
  standing: Standing
}

/** How many former standings are remembered, for pages that were begun before. */
const mostFormer = 50_000
const shortDigest = 12

/**
 * The sessions of an account by age, in memory. [Note: A list is looked through in memory] Every filter costs the same: a
 * walk over entries, a hundred thousand in some milliseconds, whichever filters are given together.
 */
export class SessionRegister {
  /** Oldest first. */
  readonly #entries: Entry[] = []
  readonly #byDigest = new Map<string, Entry>()
  /** How sessions stood until a change, oldest change first: for pages that began before it. */
  readonly #former = new Map<string, { until: number; standing: Standing }[]>()
  readonly #formerOrder: string[] = []
  /** The last change that is in it. */
  changedUpTo = 0

  get size(): number {
    return this.#entries.length
  }

  put(row: SessionRow): void {
    const digest = digestOfSession(row.sessionId)
    const known = this.#byDigest.get(digest)
    if (known !== undefined) {
      known.standing = standing(row)
      return
    }
    const entry = entryOf(row, digest)
    this.#byDigest.set(digest, entry)
    this.#entries.splice(this.#placeOf(entry), 0, entry)
  }

  remove(digest: string): void {
    const entry = this.#byDigest.get(digest)
    if (entry === undefined) return
    this.#byDigest.delete(digest)
    this.#entries.splice(this.#placeOf(entry), 1)
  }

  /** Remembers how a session stood before a change. */
  remember({ digest, number, was }: Change): void {
    if (was === null) return
    const before = this.#former.get(digest) ?? []
    before.push({ until: number, standing: was })
    this.#former.set(digest, before)
    this.#formerOrder.push(digest)
    if (this.#formerOrder.length > 2 * mostFormer) this.#forgetOldest()
  }

  /** Drops what was created before. */
  dropBefore(created: number): void {
    const kept = this.#entries.findIndex((entry) => entry.created >= created)
    const gone = this.#entries.splice(0, kept < 0 ? this.#entries.length : kept)
    for (const { digest } of gone) this.#byDigest.delete(digest)
  }

  /**
   * Newest first. [Note: A list stays what it was] A session is looked at as it stood at the first page: what fitted then
   * is not left out because it has changed since.
   */
  page(filters: Filters, limit: number, cursor: Cursor | undefined, notBefore: number): Page {
    const asOf = cursor?.asOf ?? this.changedUpTo
    const fits = fitting(filters)
    const found: Entry[] = []
    let at = (cursor === undefined ? this.#entries.length : this.#placeOf(cursor)) - 1
    for (; at >= 0 && found.length <= limit; at--) {
      const entry = this.#entries[at]!
      if (entry.created < notBefore) break
      if (fits(entry, this.#standingOf(entry, asOf))) found.push(entry)
    }
    const digests = found.slice(0, limit).map(({ digest }) => digest)
    const last = found[limit - 1]
    const next = found.length > limit ? { created: last!.created, digest: last!.digest, asOf } : null
    return { digests, next }
  }

  #standingOf({ digest, standing: now }: Entry, asOf: number): Standing {
    if (asOf >= this.changedUpTo) return now
    const then = this.#former.get(digest)?.find(({ until }) => until > asOf)
    return then?.standing ?? now
  }

  /** How many entries stand before one: by age, then by digest. */
  #placeOf({ created, digest }: Pick<Entry, 'created' | 'digest'>): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = this.#entries[middle]!
      const isBefore = entry.created < created || (entry.created === created && entry.digest < digest)
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low
  }

  #forgetOldest(): void {
    for (const digest of this.#formerOrder.splice(0, mostFormer)) {
      const left = this.#former.get(digest)!.slice(1)
      if (left.length === 0) this.#former.delete(digest)
      else this.#former.set(digest, left)
    }
  }
}

function standing({ state, result, reasons }: Standing): Standing {
  return { state, result, reasons: reasons?.length === 0 ? null : reasons }
}

function entryOf(row: SessionRow, digest: string): Entry {
  const { verificationId, kioskId, source, created, externalId, correlationId } = row
  const person = short(externalId)
  const correlation = short(correlationId)
  return { digest, verificationId, kioskId, source, created, person, correlation, standing: standing(row) }
}

function short(text: string | null): string | null {
  return text === null ? null : digestOfSession(text).slice(0, shortDigest)
}

function fitting(filters: Filters): (entry: Entry, standing: Standing) => boolean {
  const { verificationId, state, verificationResult, failedReason, kioskId, source } = filters
  const [createdFrom, createdTo] = [timeOf(filters.createdFrom), timeOf(filters.createdTo)]
  const person = short(filters.externalId ?? null)
  const correlation = short(filters.correlationId ?? null)
  return (entry, then) =>
    (verificationId === undefined || entry.verificationId === verificationId) &&
    (kioskId === undefined || entry.kioskId === kioskId) &&
    (source === undefined || entry.source === source) &&
    (person === null || entry.person === person) &&
    (correlation === null || entry.correlation === correlation) &&
    (createdFrom === undefined || entry.created >= createdFrom) &&
    (createdTo === undefined || entry.created < createdTo) &&
    (state === undefined || then.state === state) &&
    (verificationResult === undefined || then.result === verificationResult) &&
    (failedReason === undefined || (then.reasons?.includes(failedReason) ?? false))
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
