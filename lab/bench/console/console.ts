import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quantile } from '#lab/statistics/quantile.ts'
import type { SessionRow } from '../../../server/features/sessions/records/session-row.ts'
import {
  createSessionRows,
  type SessionRows,
} from '../../../server/features/sessions/records/session-rows.ts'
import { createUsageCounts, lengthOf } from '../../../server/features/sessions/records/usage-counts.ts'
import { reportUsage } from '../../../server/features/sessions/usage/usage-report.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { openLmdbStore } from '../../../server/platform/store/drivers/lmdb.ts'
import { openRedisStore } from '../../../server/platform/store/drivers/redis.ts'
import type { Store } from '../../../server/platform/store/store.ts'
import { type UsageInterval, usageInDays } from '../../../shared/contract/sessions/session-usage.ts'
import { hasRedisServer, startRedisServer } from '../../../tests/support/programs/redis-server.ts'
import { openSessionList } from '../running/session-list.ts'
import { timed } from '../running/timed.ts'
import { countsOfDay } from '../running/usage-of-a-day.ts'
import { measurePages } from './console-pages.ts'
import { measureVisit } from './console-visit.ts'

const sessions = 100_000
/** Enough for a busy operator, in the store whose pages a browser shows. */
const sessionsBehindPages = 20_000
const writtenAtOnce = 250
/** A session is added after every five pages. */
const pagesForEachNew = 5
const pagesOfWalk = 500
const timesForEachFilter = 20
const accountId = 'bench'
const week = 7 * 24 * 3600 * 1000

export interface ConsoleOptions {
  /** `pages` for the pages in a browser alone. */
  readonly only?: string | undefined
}

const states = ['Created', 'Started', 'Submitted', 'Expired', 'Completed'] as const
const verifications = 20

/** Filters with different selectivity, alone and combined. The last pair contradicts itself and has to scan all sessions. */
const filters: readonly Readonly<Record<string, string>>[] = [
  { verificationId: 'v7' },
  { verificationId: 'unknown' },
  { state: 'Created' },
  { state: 'Completed' },
  { verificationResult: 'Fail' },
  { failedReason: 'noFace' },
  { failedReason: 'personChanged' },
  { externalId: 'user 77777' },
  { correlationId: 'order 5' },
  { kioskId: 'k3' },
  { verificationSessionId: 'session 5' },
  { review: 'waiting' },
  { review: 'waiting', order: 'leastCertain' },
  { source: 'kiosk' },
  { verificationId: 'v7', verificationResult: 'Fail', source: 'link' },
  { state: 'Created', verificationResult: 'Pass' },
]

/**
 * `npm run bench -- console`: pages of get-sessions among 100,000 sessions while new ones come in, for every page of a walk and for each filter.
 * First measures them over HTTP as a signed-in operator gets them, with a million faces in the embedded store. Then measures the handler alone, and
 * get-usage over 400 days of busy hours, on the embedded store and on Redis if a server is available. Last, each page of the console in Chromium
 * among 20,000 sessions; with `--only pages`, nothing else.
 */
export async function benchConsole({ only }: ConsoleOptions): Promise<Record<string, number>> {
  const calls = only === 'pages' ? {} : await benchCalls()
  const pages = await measurePages((store, of) => {
    const rows = createSessionRows(store, createKeyRing(Buffer.alloc(32, 7), 'EU'))
    return fill(store, rows, of, Date.now(), sessionsBehindPages)
  })
  return { ...calls, ...named('pages', pages) }
}

async function benchCalls(): Promise<Record<string, number>> {
  const visit = await onLmdb((store) => {
    const rows = createSessionRows(store, createKeyRing(Buffer.alloc(32, 7), 'EU'))
    const began = Date.now()
    let coming = sessions
    return measureVisit(store, {
      filters,
      sessions: (of) => fill(store, rows, of, began),
      comeIn: (of) => put(store, rows, of, coming++, 1, began),
    })
  })
  const figures = { ...visit, ...named('handler', await onLmdb(measure)) }
  if (!hasRedisServer) return figures
  const server = await startRedisServer()
  const redis = await openRedisStore(server.address, { tag: 'bench', onFailure: () => undefined })
  const { residentGrowthBytes: _growth, ...ofRedis } = await measure(redis)
  await redis.close()
  await server.stop()
  return { ...figures, ...named('redis', ofRedis) }
}

async function onLmdb<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-bench-'))
  const lmdb = openLmdbStore(folder)
  const done = await work(lmdb)
  await lmdb.close()
  await rm(folder, { recursive: true })
  return done
}

function named(what: string, figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${what}.${name}`, value]))
}

async function fill(
  store: Store,
  rows: SessionRows,
  of: string,
  began: number,
  many = sessions,
): Promise<void> {
  for (let i = 0; i < many; i += writtenAtOnce) await put(store, rows, of, i, writtenAtOnce, began)
}

async function measure(store: Store): Promise<Record<string, number>> {
  const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
  const rows = createSessionRows(store, keyRing)
  const began = Date.now()
  await fill(store, rows, accountId, began)
  const ask = openSessionList(store, keyRing, accountId, rows)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const first = await timed(() => ask({}))
  const residentGrowthBytes = process.memoryUsage().rss - before
  let coming = sessions
  const comeIn = () => put(store, rows, accountId, coming++, 1, began)
  const walked: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesOfWalk; page++) {
    if (page % pagesForEachNew === 0) await comeIn()
    walked.push(await timed(async () => ({ cursor } = await ask(cursor === null ? {} : { cursor }))))
  }
  const filtered: number[] = []
  for (let time = 0; time < timesForEachFilter; time++) {
    await comeIn()
    for (const filter of filters) filtered.push(await timed(() => ask(filter)))
  }
  const usage = await measureUsage(store)
  return {
    ...usage,
    listP95Ms: quantile(walked, 0.95),
    filterP95Ms: quantile(filtered, 0.95),
    filterMaxMs: Math.max(...filtered),
    firstListMs: first,
    residentGrowthBytes,
  }
}

/** get-usage over 400 days, with every kind of event in every hour, for two verifications. */
async function measureUsage(store: Store): Promise<Record<string, number>> {
  const now = Date.now()
  const to = new Date(now).toISOString()
  const from = new Date(now - usageInDays * lengthOf.day).toISOString()
  for (let at = Date.parse(from); at < now; at += lengthOf.day)
    await store.commit(countsOfDay(accountId, at), [])
  const counts = createUsageCounts(store)
  const ask = (interval: UsageInterval) => timed(() => reportUsage(counts, accountId, { from, to, interval }))
  return { usageOfDaysMs: await ask('day'), usageOfHoursMs: await ask('hour') }
}

async function put(
  store: Store,
  rows: SessionRows,
  of: string,
  from: number,
  many: number,
  began: number,
): Promise<void> {
  const made = Array.from({ length: many }, (_, i) => rowOf(from + i, began))
  const writes = made.flatMap((row) => [
    rows.write(of, row, 24 * 3600),
    rows.note(of, row.sessionId, null, 24 * 3600),
  ])
  await store.commit(writes, [])
}

/** Spread over six days. Four out of five are completed, and one in four of those failed. */
function rowOf(number: number, began: number): SessionRow {
  const isCompleted = number % 5 !== 0
  const isFailed = isCompleted && number % 4 === 0
  const state = isCompleted ? 'Completed' : states[(number / 5) % 4]!
  const source = number % 10 === 0 ? 'kiosk' : number % 3 === 0 ? 'api' : 'link'
  return {
    sessionId: `session ${number}`,
    verificationId: `v${number % verifications}`,
    kioskId: source === 'kiosk' ? `k${number % 7}` : null,
    externalId: `user ${number}`,
    correlationId: `order ${number % 1000}`,
    source,
    state,
    result: isCompleted ? (isFailed ? 'Fail' : 'Pass') : null,
    reasons: isCompleted ? (isFailed ? [number % 400 === 4 ? 'personChanged' : 'noFace'] : []) : null,
    assurance: isCompleted ? 'standard' : null,
    tries: 1,
    findings: isCompleted ? [] : null,
    created: began - week + 24 * 3600 * 1000 + Math.floor((number / sessions) * 6 * 24 * 3600 * 1000),
    completedAt: isCompleted ? began : null,
    review: null,
  }
}
