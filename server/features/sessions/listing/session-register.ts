import { knownOutcome } from '#server/features/sessions/records/milestones.ts'
import {
  digestOfSession,
  type SessionRow,
  type SessionStanding,
} from '#server/features/sessions/records/session-row.ts'
import type { RowChange } from '#server/features/sessions/records/session-rows.ts'
import { type LoopTurns, loopTurns } from '#server/platform/running/loop-turns.ts'
import { sortInTurns } from '#server/platform/running/sort-in-turns.ts'
import { entryOf, type Filters, fitting, type RegisterEntry, standing } from './session-entry.ts'
import { createSharedValues } from './shared-values.ts'

/** The end of a page, and the last change that the first page included. */
export interface ListCursor {
  readonly created: number
  readonly digest: string
  readonly asOf: number
  /** The verdict's uncertainty; absent if the list is sorted by age. */
  readonly doubt?: number
}

/** How many previous states are remembered, for pages that began earlier. */
const mostFormer = 50_000
/** How many entries are examined between two checks of the clock. */
const lookedAtOnce = 256
const undecided = { review: null, doubt: 0, came: 0, assignedTo: null }

/**
 * An account's sessions by age, in memory. [Note: A list is looked through in memory] Every combination of filters costs the
 * same: scanning a hundred thousand entries takes a few milliseconds. A scan yields to other work, during which entries may
 * be added or removed, so it continues from its last entry instead of an index.
 */
export class SessionRegister {
  /** Oldest first. */
  #entries: RegisterEntry[] = []
  readonly #byDigest = new Map<string, RegisterEntry>()
  /** Sessions' previous states, by the change that ended them, oldest first. They serve pages that began before the change. */
  readonly #former = new Map<string, { until: number; standing: SessionStanding }[]>()
  readonly #formerOrder: string[] = []
  readonly #values = createSharedValues()
  readonly #turns: LoopTurns
  /** The last change that the register includes. */
  changedUpTo = 0

  constructor(turns: LoopTurns = loopTurns) {
    this.#turns = turns
  }

  /** Fills an empty register with rows in any order. */
  async fill(rows: AsyncIterable<SessionRow>): Promise<void> {
    const entries: RegisterEntry[] = []
    for await (const row of rows) {
      const entry = entryOf(row, digestOfSession(row.sessionId), 0, this.#values)
      entries.push(entry)
      this.#byDigest.set(entry.digest, entry)
    }
    this.#entries = await sortInTurns(entries, compared, this.#turns)
  }

  get size(): number {
    return this.#entries.length
  }

  put(row: SessionRow): void {
    const digest = digestOfSession(row.sessionId)
    const known = this.#byDigest.get(digest)
    if (known !== undefined) {
      const { device = null, browser = null } = row
      known.standing = this.#values.standing(standing(row))
      known.device = device
      known.browser = browser
      return
    }
    // A change may be read before its session.
    const until = this.#former.get(digest)?.at(-1)?.until ?? 0
    const entry = entryOf(row, digest, until, this.#values)
    this.#byDigest.set(digest, entry)
    this.#entries.splice(this.#placeOf(entry), 0, entry)
  }

  remove(digest: string): void {
    const entry = this.#byDigest.get(digest)
    if (entry === undefined) return
    this.#byDigest.delete(digest)
    this.#entries.splice(this.#placeOf(entry), 1)
  }

  /** Remembers a session's state before a change. Repeating the change is a no-op. */
  remember({ digest, number, was }: RowChange): void {
    if (was === null) return
    const entry = this.#byDigest.get(digest)
    if (entry !== undefined) entry.changed = number
    const before = this.#former.get(digest) ?? []
    if (number <= (before.at(-1)?.until ?? 0)) return
    // Older log entries lack outcomes, reviews and milestones.
    before.push({ until: number, standing: { ...undecided, ...was, outcome: knownOutcome(was) } })
    this.#former.set(digest, before)
    this.#formerOrder.push(digest)
    if (this.#formerOrder.length > 2 * mostFormer) this.#forgetOldest()
  }

  /** Removes entries created before this time. */
  dropBefore(created: number): void {
    const kept = this.#entries.findIndex((entry) => entry.created >= created)
    const gone = this.#entries.splice(0, kept < 0 ? this.#entries.length : kept)
    for (const { digest } of gone) this.#byDigest.delete(digest)
  }

  /**
   * Newest first. [Note: A list stays what it was] Sessions are filtered by their state when the first page was read, so that
   * later changes do not remove matches from later pages.
   */
  find(seek: ListSearch): Promise<ListMatch[]> {
    return seek.filters.order === 'leastCertain' ? this.#leastCertain(seek) : this.#newest(seek)
  }

  /** How many sessions match, and when the oldest was created. */
  async tally(seek: ListSearch): Promise<{ count: number; oldest: number | null }> {
    let count = 0
    let oldest: number | null = null
    await this.#walk(seek, undefined, ({ created }) => {
      count++
      oldest = created
      return true
    })
    return { count, oldest }
  }

  async #newest(seek: ListSearch): Promise<ListMatch[]> {
    const found: ListMatch[] = []
    await this.#walk(seek, seek.cursor, (entry, doubt) => found.push(foundOf(entry, doubt)) < seek.most)
    return found
  }

  /** The scan visits equally doubtful sessions newest first, so no sorting is needed, and it keeps only a page of each level. */
  async #leastCertain(seek: ListSearch): Promise<ListMatch[]> {
    const { cursor, most } = seek
    const byDoubt = new Map<number, ListMatch[]>()
    await this.#walk(seek, undefined, (entry, doubt) => {
      if (cursor !== undefined && !isAfter(entry, doubt, cursor)) return true
      const alike = byDoubt.get(doubt)
      if (alike === undefined) byDoubt.set(doubt, [foundOf(entry, doubt)])
      else if (alike.length < most) alike.push(foundOf(entry, doubt))
      return true
    })
    const doubts = [...byDoubt.keys()].sort((a, b) => b - a)
    return doubts.flatMap((doubt) => byDoubt.get(doubt)!).slice(0, most)
  }

  /** Visits matches in their first-page state, newest first, starting before a place, until enough are found. */
  async #walk(
    seek: ListSearch,
    from: ListCursor | undefined,
    tell: (entry: RegisterEntry, doubt: number) => boolean,
  ): Promise<void> {
    const { filters, asOf, notBefore } = seek
    const fits = fitting(filters)
    const goesOn = (entry: RegisterEntry): boolean => {
      if (entry.created < notBefore) return false
      const then = this.#standingOf(entry, asOf)
      return !fits(entry, then) || tell(entry, then.doubt)
    }
    const id = filters.verificationSessionId
    if (id !== undefined) return void this.#alone(id, from).every(goesOn)
    let at = from === undefined ? this.#entries.length : this.#placeOf(from)
    for (let looked = 1; at > 0; looked++) {
      const entry = this.#entries[--at]!
      if (!goesOn(entry)) return
      if (looked % lookedAtOnce !== 0 || !this.#turns.isOver()) continue
      await this.#turns.next()
      at = this.#placeOf(entry)
    }
  }

  #alone(id: string, from: ListCursor | undefined): RegisterEntry[] {
    const entry = this.#byDigest.get(digestOfSession(id))
    return entry === undefined || (from !== undefined && compared(entry, from) >= 0) ? [] : [entry]
  }

  #standingOf(entry: RegisterEntry, asOf: number): SessionStanding {
    if (entry.changed <= asOf) return entry.standing
    const then = this.#former.get(entry.digest)?.find(({ until }) => until > asOf)
    return then?.standing ?? entry.standing
  }

  /** How many entries come before this one: by age, then by digest. */
  #placeOf({ created, digest }: Pick<RegisterEntry, 'created' | 'digest'>): number {
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

/** The filters and the starting point. */
export interface ListSearch {
  readonly filters: Filters
  readonly cursor: ListCursor | undefined
  readonly asOf: number
  /** Milliseconds since 1970. Sessions created before this no longer have a result. */
  readonly notBefore: number
  readonly most: number
}

/** A match with its place in both orders. */
export interface ListMatch {
  readonly created: number
  readonly digest: string
  readonly doubt: number
}

function foundOf({ created, digest }: RegisterEntry, doubt: number): ListMatch {
  return { created, digest, doubt }
}

/** Compares by age, then by digest. */
function compared(
  a: Pick<RegisterEntry, 'created' | 'digest'>,
  b: Pick<RegisterEntry, 'created' | 'digest'>,
): number {
  if (a.created !== b.created) return a.created - b.created
  return a.digest === b.digest ? 0 : a.digest < b.digest ? -1 : 1
}

/** True if an entry comes after a place in the least-certain-first list. */
function isAfter(entry: RegisterEntry, doubt: number, place: ListCursor): boolean {
  return doubt === place.doubt ? compared(entry, place) < 0 : doubt < place.doubt!
}
