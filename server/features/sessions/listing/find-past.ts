import {
  behindAll,
  behindTime,
  type PastEntry,
  placeOf,
} from '#server/features/sessions/records/history-keys.ts'
import {
  type CountedClass,
  type IndexName,
  indexedNames,
  type SessionHistory,
} from '#server/features/sessions/records/session-history.ts'
import { digestOfSession } from '#server/features/sessions/records/session-row.ts'
import { inBatches } from '#server/platform/running/in-batches.ts'
import { identityForms } from '#shared/identity/identity-text.ts'
import { mergedEntries } from './merged-entries.ts'
import { fitsRow } from './session-entry.ts'
import type { ListMatch, ListSearch } from './session-register.ts'

/** If fewer than one row in this many belongs to the selected classes, their own indices are read instead. */
const rare = 20
/** After reading this many entries without a match, the search switches to the class indices. */
const mostInVain = 2000
const readAtOnce = 50

type History = Pick<SessionHistory, 'classes' | 'entries' | 'read'>

/** A history row found in a list. */
export type PastMatch = Pick<ListMatch, 'created' | 'digest' | 'doubt'>

/**
 * Finds at most `most` rows for sessions that are older than their results, in list order.
 * [Note: A filter is a choice of classes] All filterable attributes with few values form a row's class. The matching classes
 * are known in advance, and their entries are read and merged in order, so a filter with few matches costs no more than one
 * with many. Persons, correlations and kiosks have separate indices.
 */
export async function findPast(history: History, accountId: string, seek: ListSearch): Promise<PastMatch[]> {
  // These sessions can no longer be decided, so they are never waiting.
  if (seek.most <= 0 || isPending(seek.filters.review) || isOfRecent(seek.filters)) return []
  const classes = await history.classes(accountId)
  const fitting = [...classes].filter(([, one]) => fitsClass(seek, one))
  if (fitting.length === 0) return []
  const { verificationSessionId } = seek.filters
  if (verificationSessionId !== undefined) return findOne(history, accountId, seek, verificationSessionId)
  const search = createSearch(history, accountId, seek, classes)
  return seek.filters.order === 'leastCertain' ? search.leastCertain(fitting) : search.newest(fitting)
}

function isPending(review: ListSearch['filters']['review']): boolean {
  return review === 'waiting' || review === 'wanted'
}

async function findOne(
  history: History,
  accountId: string,
  seek: ListSearch,
  sessionId: string,
): Promise<PastMatch[]> {
  const digest = digestOfSession(sessionId)
  const row = await history.read(accountId, digest)
  if (row === undefined || !fitsRow(seek.filters)(row)) return []
  const { created } = row
  const { from, to } = boundsOf(seek)
  const place = placeOf({ created, digest })
  const isBehind = place > from || seek.filters.order === 'leastCertain'
  return isBehind && place > behindTime(seek.notBefore) && created >= to
    ? [{ created, digest, doubt: 0 }]
    : []
}

type FittingClasses = readonly (readonly [className: string, CountedClass])[]

function createSearch(
  history: History,
  accountId: string,
  seek: ListSearch,
  classes: ReadonlyMap<string, CountedClass>,
) {
  const { cursor, most } = seek
  const { from, since } = boundsOf(seek)
  const walk = createWalk(history, accountId, seek, classes)
  const doubtOf = (className: string) => classes.get(className)?.doubt ?? 0
  const found = ({ created, digest, className }: PastEntry): PastMatch => ({
    created,
    digest,
    doubt: doubtOf(className),
  })

  async function take(entries: AsyncGenerator<PastEntry>, many: number): Promise<PastMatch[]> {
    const taken: PastMatch[] = []
    for await (const entry of entries) {
      taken.push(found(entry))
      if (taken.length === many) break
    }
    return taken
  }

  return {
    newest: (fitting: FittingClasses) => take(walk(fitting, from), most),
    /** Goes through the levels of doubt from highest to lowest, each from newest to oldest. */
    async leastCertain(fitting: FittingClasses): Promise<PastMatch[]> {
      const doubts = [...new Set(fitting.map(([, { doubt }]) => doubt))].sort((a, b) => b - a)
      const taken: PastMatch[] = []
      for (const doubt of doubts) {
        if (cursor !== undefined && doubt > cursor.doubt!) continue
        const after = doubt === cursor?.doubt ? from : since
        const alike = fitting.filter(([, one]) => one.doubt === doubt)
        taken.push(...(await take(walk(alike, after), most - taken.length)))
        if (taken.length === most) break
      }
      return taken
    },
  }
}

/** The matches in some classes after a given place, in list order. */
function createWalk(
  history: History,
  accountId: string,
  seek: ListSearch,
  classes: ReadonlyMap<string, CountedClass>,
) {
  const { to } = boundsOf(seek)
  const named = namesIn(seek)
  const open = (index: IndexName, after: string) => until(history.entries(accountId, index, after), to)

  /** The entries for the selected names, or for the classes, after a given place. */
  async function* walk(fitting: FittingClasses, after: string): AsyncGenerator<PastEntry> {
    const wanted = new Set(fitting.map(([className]) => className))
    if (named.length > 0) {
      const entries = mergedEntries(named.map((index) => open(index, after)))
      yield* checked(chosen(entries, wanted))
      return
    }
    const place = isCommon(fitting, classes) ? yield* walkAll(wanted, after) : after
    if (place === undefined) return
    yield* mergedEntries([...wanted].map((className) => open({ className }, place)))
  }

  /** Reads all rows and yields those in the classes. Returns the place where it gave up, or undefined at the end. */
  async function* walkAll(
    wanted: ReadonlySet<string>,
    after: string,
  ): AsyncGenerator<PastEntry, string | undefined> {
    let inVain = 0
    for await (const entry of open('all', after)) {
      if (wanted.has(entry.className)) yield entry
      else if (++inVain === mostInVain) return placeOf(entry) + behindAll
    }
    return undefined
  }

  /** If two names are selected at once, the index covers only one of them. */
  async function* checked(entries: AsyncGenerator<PastEntry>): AsyncGenerator<PastEntry> {
    const fits = fitsRow(seek.filters)
    for await (const some of inBatches(entries, readAtOnce)) {
      const rows = await Promise.all(some.map(({ digest }) => history.read(accountId, digest)))
      for (const [i, row] of rows.entries()) if (row !== undefined && fits(row)) yield some[i]!
    }
  }

  return walk
}

/** The answer's range: after `from`, or after `since` if the cursor does not matter, and no later than `to`. */
function boundsOf({ filters, cursor, notBefore }: ListSearch) {
  const createdTo = filters.createdTo === undefined ? undefined : Date.parse(filters.createdTo)
  const since = behindTime(Math.min(notBefore, createdTo ?? notBefore))
  const place = cursor === undefined ? '' : placeOf(cursor) + behindAll
  return {
    since,
    from: place > since ? place : since,
    to: filters.createdFrom === undefined ? 0 : Date.parse(filters.createdFrom),
  }
}

/**
 * [Note: The history has no index of everything] Device, browser, progress and the beginning of an ID can be searched only
 * among sessions that still have a result.
 */
function isOfRecent({ device, browser, idBeginsWith, reached, assignedTo }: ListSearch['filters']): boolean {
  return [device, browser, idBeginsWith, reached, assignedTo].some((one) => one !== undefined)
}

/** The index with the fewest entries: a visit's ID before a person, and a person before a kiosk. */
function namesIn({ filters }: ListSearch): IndexName[] {
  const naming = indexedNames.find((one) => filters[one] !== undefined)
  if (naming === undefined) return []
  const text = filters[naming]!
  const forms = naming === 'externalId' ? identityForms(text) : [text]
  return forms.map((form) => ({ naming, text: form }))
}

function isCommon(fitting: FittingClasses, classes: ReadonlyMap<string, CountedClass>): boolean {
  const sum = (counted: Iterable<CountedClass>) => [...counted].reduce((all, { count }) => all + count, 0)
  return sum(fitting.map(([, one]) => one)) * rare >= sum(classes.values())
}

function fitsClass({ filters }: ListSearch, one: CountedClass): boolean {
  const { verificationId, state, verificationResult, failedReason, source, review, outcome } = filters
  return (
    (outcome === undefined || one.outcome === outcome) &&
    (verificationId === undefined || one.verificationId === verificationId) &&
    (source === undefined || one.source === source) &&
    (state === undefined || one.state === state) &&
    (verificationResult === undefined || one.result === verificationResult) &&
    (failedReason === undefined || one.reasons.includes(failedReason)) &&
    (review === undefined || one.isReviewed)
  )
}

async function* chosen(
  entries: AsyncGenerator<PastEntry>,
  wanted: ReadonlySet<string>,
): AsyncGenerator<PastEntry> {
  for await (const entry of entries) if (wanted.has(entry.className)) yield entry
}

async function* until(entries: AsyncGenerator<PastEntry>, oldest: number): AsyncGenerator<PastEntry> {
  for await (const entry of entries) {
    if (entry.created < oldest) return
    yield entry
  }
}
