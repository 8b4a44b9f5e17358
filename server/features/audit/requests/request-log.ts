import { randomUUID } from 'node:crypto'
import type { RequestRecord } from '#server/platform/http/requests/request-record.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { LoggedRequest } from '#shared/contract/account/request-log.ts'

/** How long requests are stored, and how many recent requests each process stores per account. */
export const requestLogLimits = { keptSeconds: 6 * 3600, most: 2000 } as const

const flushEveryMilliseconds = 2000
const mostOfChunk = 100

/** A stored request. Its `place` is unique and sorts requests from the same moment. */
export interface KeptRequest extends Omit<LoggedRequest, 'time' | 'ignored'> {
  /** Absent if every name was known, and in records from before it was stored. */
  readonly ignored?: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly place: string
}

/**
 * The requests of the last hours, by account. [Note: Calls are gathered before they are kept] A process writes its
 * finished requests every two seconds, in chunks of a hundred, so that a request costs no separate write and every
 * process can list all of them.
 */
export interface RequestLog {
  note(record: RequestRecord): void
  /** An account's requests, newest first. */
  of(accountId: string): Promise<readonly KeptRequest[]>
  /** Writes the requests gathered so far. */
  flush(): Promise<void>
}

interface Chunk {
  readonly id: string
  readonly requests: KeptRequest[]
}

/** Finished requests and their times, oldest first. Under load, most are dropped before they are written. */
interface RequestBatch {
  readonly records: RequestRecord[]
  readonly times: number[]
}

interface Dependencies {
  readonly store: Store
  readonly now: Clock
  readonly onFailure: (error: unknown) => void
}

export function createRequestLog({ store, now, onFailure }: Dependencies): RequestLog {
  const chunks = createTable<readonly KeptRequest[]>(store, 'request-log')
  /** Each account's stored chunks. The last one grows. */
  const standing = new Map<string, Chunk[]>()
  const fresh = new Map<string, RequestBatch>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  function writesOf(accountId: string, requests: readonly KeptRequest[]) {
    const known = standing.get(accountId) ?? []
    const changed = new Set<Chunk>()
    for (const request of requests) {
      const chunk = roomIn(known)
      chunk.requests.push(request)
      changed.add(chunk)
    }
    const gone = known.splice(0, Math.max(0, known.length - requestLogLimits.most / mostOfChunk))
    for (const chunk of gone) changed.delete(chunk)
    standing.set(accountId, known)
    return [
      ...gone.map(({ id }) => chunks.write(accountId, id, undefined)),
      ...[...changed].map(({ id, requests }) =>
        chunks.write(accountId, id, requests, requestLogLimits.keptSeconds),
      ),
    ]
  }

  async function write(): Promise<void> {
    forgetQuiet(standing, now() - requestLogLimits.keptSeconds * 1000)
    const gathered = [...fresh]
    fresh.clear()
    for (const [accountId, calls] of gathered) await store.commit(writesOf(accountId, latestOf(calls)), [])
  }

  function flush(): Promise<void> {
    timer = void clearTimeout(timer)
    writing = writing.then(write).catch(onFailure)
    return writing
  }

  return {
    flush,
    note(record) {
      const { accountId, operatorId, method } = record
      // Skips reads that the console page makes on its own, which would crowd out everything else.
      if (accountId === undefined || (operatorId !== undefined && method === 'GET')) return
      const gathered = fresh.get(accountId) ?? startGathering(fresh, accountId)
      gathered.records.push(record)
      gathered.times.push(now())
      if (gathered.records.length >= 2 * requestLogLimits.most) forgetOldest(gathered)
      timer ??= setTimeout(flush, flushEveryMilliseconds).unref()
    },
    async of(accountId) {
      await flush()
      const since = now() - requestLogLimits.keptSeconds * 1000
      const all = (await allOf(chunks.list(accountId))).flat().filter(({ at }) => at > since)
      return all.sort((a, b) => b.at - a.at || (a.place < b.place ? 1 : -1))
    },
  }
}

function startGathering(fresh: Map<string, RequestBatch>, accountId: string): RequestBatch {
  const gathered = { records: [], times: [] }
  fresh.set(accountId, gathered)
  return gathered
}

function latestOf({ records, times }: RequestBatch): KeptRequest[] {
  const first = Math.max(0, records.length - requestLogLimits.most)
  return records.slice(first).map((record, i) => keptOf(record, times[first + i]!))
}

/** Removes many at once, because removing one would shift all the others each time. */
function forgetOldest({ records, times }: RequestBatch): void {
  records.splice(0, requestLogLimits.most)
  times.splice(0, requestLogLimits.most)
}

/** The chunk that the next request is added to. */
function roomIn(known: Chunk[]): Chunk {
  const last = known.at(-1)
  if (last !== undefined && last.requests.length < mostOfChunk) return last
  const chunk = { id: randomUUID(), requests: [] }
  known.push(chunk)
  return chunk
}

/** Drops accounts without recent requests. Their chunks have also expired in the store. */
function forgetQuiet(standing: Map<string, Chunk[]>, since: number): void {
  for (const [accountId, known] of standing)
    if ((known.at(-1)?.requests.at(-1)?.at ?? 0) <= since) standing.delete(accountId)
}

function keptOf(record: RequestRecord, at: number): KeptRequest {
  const {
    requestId,
    method,
    route,
    status,
    code,
    durationInMilliseconds,
    aborted,
    keyId,
    operatorId,
    ignored,
  } = record
  return {
    at,
    place: randomUUID().slice(0, 8),
    requestId,
    method,
    path: route ?? '-',
    status,
    code: code ?? null,
    durationInMilliseconds,
    aborted: aborted ?? false,
    keyId: keyId ?? null,
    operatorId: operatorId ?? null,
    ...(ignored !== undefined && { ignored }),
  }
}
