import { quantile } from '#lab/statistics/quantile.ts'
import { createSessionHistory } from '../../../server/features/sessions/records/session-history.ts'
import { createSessionRows } from '../../../server/features/sessions/records/session-rows.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '../../../server/platform/store/drivers/memory.ts'
import type { Addition, Write } from '../../../server/platform/store/store.ts'
import { hasPostgresServer } from '../../../tests/support/programs/postgres-server.ts'
import { hasRedisServer } from '../../../tests/support/programs/redis-server.ts'
import { openSessionList } from '../running/session-list.ts'
import { timed } from '../running/timed.ts'
import { countOf } from '../start/start.ts'
import { type FilledStore, fillStores } from './filled-stores.ts'
import { accountId, filters, listedForDays, madeSession, writesOf } from './made-sessions.ts'

const pagesOfWalk = 400
const timesForEachFilter = 12
const day = 24 * 3600 * 1000
const keyRing = createKeyRing(Buffer.alloc(32, 1), 'EU')
const usual = 'postgres=5M,lmdb=1M,redis=200k'

/**
 * `npm run bench -- sessions-list [--sizes postgres=5M,lmdb=1M,redis=200k]`: measures pages of get-sessions among 400 days of sessions: a walk that
 * starts with the newest, pages in the middle of a year, and all filters in either order, both from the newest and from days in between. Also
 * measures the process's processor time.
 */
export async function benchSessionsList({ sizes = usual }: { sizes?: string | undefined }) {
  const figures: Record<string, number> = {}
  for (const part of sizes.split(',')) {
    const [name, size] = part.split('=') as [string, string]
    if ((name === 'postgres' && !hasPostgresServer) || (name === 'redis' && !hasRedisServer)) continue
    const measured = await measure(name, countOf(size))
    for (const [what, value] of Object.entries(measured)) figures[`${name}.${what}At${size}`] = value
  }
  return figures
}

async function measure(name: string, count: number): Promise<Record<string, number>> {
  const filled = await fillStores[name]!(writesOfAll(count))
  const measured = await ask(filled, count)
  await filled.close()
  return measured
}

function* writesOfAll(count: number): Generator<Write> {
  const now = Date.now()
  const nowhere = createMemoryStore()
  const to = {
    history: createSessionHistory(nowhere, keyRing, () => now),
    rows: createSessionRows(nowhere, keyRing),
  }
  const classes = new Map<string, Addition>()
  for (let number = 0; number < count; number++)
    for (const write of writesOf(madeSession(number, count, now), to, now))
      if (write.kind !== 'add') yield write
      else classes.set(write.key, { ...write, more: (classes.get(write.key)?.more ?? 0) + write.more })
  yield* classes.values()
}

async function ask({ store, bytes }: FilledStore, count: number): Promise<Record<string, number>> {
  const list = openSessionList(store, keyRing, accountId)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const first = await timed(() => list({}))
  const usedBefore = process.cpuUsage()
  const walked: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesOfWalk; page++)
    walked.push(await timed(async () => ({ cursor } = await list(cursor === null ? {} : { cursor }))))
  const within: number[] = []
  for (let page = 0; page < pagesOfWalk; page++)
    within.push(await timed(() => list({ createdTo: dayBefore((page * 37) % listedForDays) })))
  const filtered: number[] = []
  for (const filter of filters) {
    const times: number[] = []
    for (let time = 0; time < timesForEachFilter; time++) {
      const createdTo = time % 2 === 0 ? {} : { createdTo: dayBefore((time * 61) % listedForDays) }
      times.push(await timed(() => list({ ...filter, ...createdTo })))
    }
    process.stderr.write(`${JSON.stringify(filter)} ${quantile(times, 0.95).toFixed(1)} ms\n`)
    filtered.push(...times)
  }
  const { user, system } = process.cpuUsage(usedBefore)
  const all = [...walked, ...within, ...filtered]
  return {
    firstMs: first,
    walkP95Ms: quantile(walked, 0.95),
    withinP95Ms: quantile(within, 0.95),
    filterP95Ms: quantile(filtered, 0.95),
    filterMaxMs: Math.max(...filtered),
    allP95Ms: quantile(all, 0.95),
    processorMsAPage: (user + system) / 1000 / all.length,
    residentGrowthBytes: process.memoryUsage().rss - before,
    bytesPerSession: (await bytes()) / count,
  }
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * day).toISOString()
}
