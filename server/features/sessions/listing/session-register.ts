import type { getSessions } from '#shared/contract/sessions/session-list.ts'
import type { QueryOf } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import { digestOfSession, type SessionRow, type Standing, standingOf } from './session-row.ts'
import type { Change } from './session-rows.ts'

type Query = QueryOf<typeof getSessions>

/** What a list is asked for; by age where no order is named. */
export type Filters = Omit<Query, 'limit' | 'cursor' | 'order'> & Partial<Pick<Query, 'order'>>

/** Where a page ended, and the last change that the first page knew. */
export interface Cursor {
  readonly created: number
  readonly digest: string
  readonly asOf: number
  /** How uncertain its verdict was; absent where the list goes by age. */
  readonly doubt?: number
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
  /** The last change that is remembered of it: most have none, and are looked up nowhere. */
  changed: number
}

/** How many former standings are remembered, for pages that were begun before. */
const mostFormer = 50_000
const shortDigest = 12
const undecided = { review: null, doubt: 0 }

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
    // A change may be read before the session itself is read.
    const entry = entryOf(row, digest, this.#former.get(digest)?.at(-1)?.until ?? 0)
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
    const entry = this.#byDigest.get(digest)
    if (entry !== undefined) entry.changed = number
    const before = this.#former.get(digest) ?? []
    // Notes that are older than reviews in lists lack them.
    before.push({ until: number, standing: { ...undecided, ...was } })
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
    const isByDoubt = filters.order === 'leastCertain'
    const asked = { filters, cursor, asOf, notBefore, most: limit + 1 }
    const found = isByDoubt ? this.#leastCertain(asked) : this.#newest(asked)
    const digests = found.slice(0, limit).map(({ entry }) => entry.digest)
    const last = found[limit - 1]
    if (found.length <= limit || last === undefined) return { digests, next: null }
    const { created, digest } = last.entry
    return { digests, next: { created, digest, asOf, ...(isByDoubt && { doubt: last.doubt }) } }
  }

  #newest(asked: Asked): Found[] {
    const found: Found[] = []
    this.#walk(asked, asked.cursor, (entry, doubt) => found.push({ entry, doubt }) < asked.most)
    return found
  }

  /** The walk meets those of one doubt newest first, so that none is sorted: of each no more are kept than a page has. */
  #leastCertain(asked: Asked): Found[] {
    const { cursor, most } = asked
    const byDoubt = new Map<number, Found[]>()
    this.#walk(asked, undefined, (entry, doubt) => {
      if (cursor !== undefined && !isAfter(entry, doubt, cursor)) return true
      const alike = byDoubt.get(doubt)
      if (alike === undefined) byDoubt.set(doubt, [{ entry, doubt }])
      else if (alike.length < most) alike.push({ entry, doubt })
      return true
    })
    const doubts = [...byDoubt.keys()].sort((a, b) => b - a)
    return doubts.flatMap((doubt) => byDoubt.get(doubt)!).slice(0, most)
  }

  /** Tells what fits as it stood then, newest first, from before a place on, as long as more is wanted. */
  #walk(asked: Asked, from: Cursor | undefined, tell: (entry: Entry, doubt: number) => boolean): void {
    const { filters, asOf, notBefore } = asked
    const fits = fitting(filters)
    const id = filters.verificationSessionId
    const entries = id === undefined ? this.#entries : this.#alone(id, from)
    let at = (id === undefined && from !== undefined ? this.#placeOf(from) : entries.length) - 1
    for (; at >= 0; at--) {
      const entry = entries[at]!
      if (entry.created < notBefore) return
      const then = this.#standingOf(entry, asOf)
      if (fits(entry, then) && !tell(entry, then.doubt)) return
    }
  }

  #alone(id: string, from: Cursor | undefined): Entry[] {
    const entry = this.#byDigest.get(digestOfSession(id))
    return entry === undefined || (from !== undefined && compared(entry, from) >= 0) ? [] : [entry]
  }

  #standingOf(entry: Entry, asOf: number): Standing {
    if (entry.changed <= asOf) return entry.standing
    const then = this.#former.get(entry.digest)?.find(({ until }) => until > asOf)
    return then?.standing ?? entry.standing
  }

  /** How many entries stand before one: by age, then by digest. */
  #placeOf({ created, digest }: Pick<Entry, 'created' | 'digest'>): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const mid = (low + high) >> 1
      if (compared(this.#entries[mid]!, { created, digest }) < 0) low = mid + 1
      else high = mid
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

interface Asked {
  readonly filters: Filters
  readonly cursor: Cursor | undefined
  readonly asOf: number
  readonly notBefore: number
  readonly most: number
}

interface Found {
  readonly entry: Entry
  readonly doubt: number
}

/** By age, then by digest. */
function compared(a: Pick<Entry, 'created' | 'digest'>, b: Pick<Entry, 'created' | 'digest'>): number {
  if (a.created !== b.created) return a.created - b.created
  return a.digest === b.digest ? 0 : a.digest < b.digest ? -1 : 1
}

/** Whether one comes after a place in the list of the least certain. */
function isAfter(entry: Entry, doubt: number, place: Cursor): boolean {
  return doubt === place.doubt ? compared(entry, place) < 0 : doubt < place.doubt!
}

/** [Note: Written out] What is looked through by the hundred thousand is made member by member: an object of a rest or a spread is read twenty times as slowly. */
function standing(row: SessionRow): Standing {
  const { state, result, reasons, review, doubt } = standingOf(row)
  return { state, result, reasons: reasons?.length === 0 ? null : reasons, review, doubt }
}

function entryOf(row: SessionRow, digest: string, changed: number): Entry {
  const { verificationId, kioskId, source, created, externalId, correlationId } = row
  const person = short(externalId)
  const correlation = short(correlationId)
  return {
    digest,
    verificationId,
    kioskId,
    source,
    created,
    person,
    correlation,
    standing: standing(row),
    changed,
  }
}

function short(text: string | null): string | null {
  return text === null ? null : digestOfSession(text).slice(0, shortDigest)
}

function fitting(filters: Filters): (entry: Entry, standing: Standing) => boolean {
  const { verificationId, state, verificationResult, failedReason, kioskId, source, review } = filters
  const [createdFrom, createdTo] = [timeOf(filters.createdFrom), timeOf(filters.createdTo)]
  const persons = identityForms(filters.externalId ?? '').map(short)
  const isAnybody = filters.externalId === undefined
  const correlation = short(filters.correlationId ?? null)
  return (entry, then) =>
    (verificationId === undefined || entry.verificationId === verificationId) &&
    (kioskId === undefined || entry.kioskId === kioskId) &&
    (source === undefined || entry.source === source) &&
    (isAnybody || persons.includes(entry.person)) &&
    (correlation === null || entry.correlation === correlation) &&
    (createdFrom === undefined || entry.created >= createdFrom) &&
    (createdTo === undefined || entry.created < createdTo) &&
    (state === undefined || then.state === state) &&
    (review === undefined || then.review === review) &&
    (verificationResult === undefined || then.result === verificationResult) &&
    (failedReason === undefined || (then.reasons?.includes(failedReason) ?? false))
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
