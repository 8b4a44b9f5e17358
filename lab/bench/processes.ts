import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Caller, callerOf } from '#lab/torture/caller.ts'
import { createSignature } from '../../shared/contract/configuration/signature.ts'
import { createVerification } from '../../shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession } from '../../shared/contract/sessions/session.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import { startPostgresServer } from '../../tests/support/programs/postgres-server.ts'
import { startRedisServer } from '../../tests/support/programs/redis-server.ts'
import { processorTimeOf } from './processor-time.ts'

/** Per process. With fewer calls, compilers would take longer than the calls themselves. */
const warmUps = 1000
const sessions = 2000
/** How many times each of two builds is measured. */
const turns = Number(process.env.BENCH_TURNS ?? 3)
/** Per process. With fewer, each turn of the event loop does less work and therefore costs more per call. */
const underWayAtEach = 12
const apiKey = 'k'.repeat(43)
const noConsent = { given: false, wordingVersion: '1', locale: 'en' } as const

/**
 * `npm run bench -- processes`: the processor time for creating and completing a session, added up over all server processes, with one process and
 * with three of them sharing a Redis server. Visitors decline, so no picture is analysed and every call reaches the store. The fewer concurrent
 * calls a process gets, the more each one costs, so one process is also measured at the rate that each of the three had, and together with two idle
 * processes.
 */
export async function benchProcesses(): Promise<Record<string, number>> {
  if (process.env.BENCH_STORE === 'postgres') return benchOnPostgres(process.env.BENCH_FORMER)
  const one = await measure(1)
  const three = await measure(3)
  const asEach = await measure(1, { sessionsASecond: three.rate / 3 })
  const amongIdle = await measure(3, { called: 1 })
  return {
    'processes.1.microsecondsASession': one.microseconds,
    'processes.3.microsecondsASession': three.microseconds,
    'processes.1 as each of 3.microsecondsASession': asEach.microseconds,
    'processes.1 of 3 called.microsecondsASession': amongIdle.microseconds,
    'processes.3 to 1': three.microseconds / one.microseconds,
    'processes.3 to 1 at the same load of each': three.microseconds / asEach.microseconds,
    'processes.1 of 3 called to 1': amongIdle.microseconds / one.microseconds,
    'processes.1.sessionsASecond': one.rate,
    'processes.3.sessionsASecond': three.rate,
  }
}

/**
 * The same with three processes on one PostgreSQL server. If BENCH_FORMER is set to the folder of another built checkout, its processes alternate
 * with ours and share a folder for the audit log, as required by releases up to 0.2.0. Each build goes first half of the time.
 */
async function benchOnPostgres(former: string | undefined): Promise<Record<string, number>> {
  const own: Side = { root: '.', store: 'postgres', hasCommonFolder: false }
  const other: Side = { root: former ?? '.', store: 'postgres', hasCommonFolder: true }
  const measured: Record<'own' | 'former', ProcessFigures[]> = { own: [], former: [] }
  for (let turn = 0; turn < turns; turn++) {
    const isFirst = turn % 2 === 1 || former === undefined
    if (isFirst) measured.own.push(await measure(3, {}, own))
    if (former !== undefined) measured.former.push(await measure(3, {}, other))
    if (!isFirst) measured.own.push(await measure(3, {}, own))
  }
  const median = (of: readonly ProcessFigures[], name: keyof ProcessFigures) =>
    of.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(of.length / 2)]!
  const figuresOf = (name: 'own' | 'former') => ({
    [`processes.3 on PostgreSQL, ${name}.microsecondsASession`]: median(measured[name], 'microseconds'),
    [`processes.3 on PostgreSQL, ${name}.sessionsASecond`]: median(measured[name], 'rate'),
  })
  if (former === undefined) return figuresOf('own')
  const ratio = median(measured.own, 'rate') / median(measured.former, 'rate')
  return { ...figuresOf('own'), ...figuresOf('former'), 'processes.own to former': ratio }
}

/** A side's build and its store. */
interface Side {
  readonly root: string
  readonly store: 'redis' | 'postgres'
  /** True if the processes share the same AUDIT_DIR. */
  readonly hasCommonFolder: boolean
}

const onRedis: Side = { root: '.', store: 'redis', hasCommonFolder: true }

interface ProcessFigures {
  /** The processor time per session. */
  readonly microseconds: number
  /** In sessions per second. */
  readonly rate: number
}

interface Load {
  /** The maximum rate. Unlimited if absent. */
  readonly sessionsASecond?: number
  /** The number of processes that receive visitors. All of them if absent. */
  readonly called?: number
}

async function measure(count: number, load: Load = {}, side: Side = onRedis): Promise<ProcessFigures> {
  const { called = count, sessionsASecond = Number.POSITIVE_INFINITY } = load
  const auditDir = await mkdtemp(join(tmpdir(), 'selfsame-bench-audit-'))
  const behind =
    side.store === 'redis' ? await startRedisServer() : await startPostgresServer({ settings: ['fsync=on'] })
  const servers: BuiltServer[] = []
  try {
    for (let i = 0; i < count; i++) {
      const settings = {
        STORE: behind.address,
        FIRST_API_KEY: apiKey,
        SECRET: 's'.repeat(40),
        ...(side.hasCommonFolder && { AUDIT_DIR: auditDir }),
      }
      servers.push(await startBuiltServer(settings, [], { needsKey: false, root: side.root }))
    }
    const callers = servers.slice(0, called).map(({ origin }) => callerOf(origin, apiKey))
    const { verificationId } = await callers[0]!.call(createVerification, { body: { name: 'bench' } })
    await pass(callers, verificationId, warmUps * called)
    const before = total(servers)
    const started = performance.now()
    await pass(callers, verificationId, sessions, sessionsASecond)
    const seconds = (performance.now() - started) / 1000
    return { microseconds: (total(servers) - before) / sessions, rate: sessions / seconds }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await behind.stop()
    await rm(auditDir, { recursive: true, force: true })
  }
}

/** All processes get the same number of sessions. */
async function pass(
  callers: readonly Caller[],
  verificationId: string,
  count: number,
  sessionsASecond = Number.POSITIVE_INFINITY,
): Promise<void> {
  const started = performance.now()
  let begun = 0
  const lanes = Array.from({ length: underWayAtEach * callers.length }, async () => {
    while (begun < count) {
      const due = started + (1000 * begun) / sessionsASecond
      const caller = callers[begun++ % callers.length]!
      if (due > performance.now()) await pause(due - performance.now())
      const { signedQueryString: queryString } = await caller.call(createSignature, {
        body: { queryString: '' },
      })
      const { sessionToken: bearer } = await caller.call(initRedirectSession, {
        body: { verificationId, queryString },
      })
      await caller.call(submitSession, { bearer, body: { frames: [], consent: noConsent } })
    }
  })
  await Promise.all(lanes)
}

function total(servers: readonly BuiltServer[]): number {
  return servers.reduce((sum, { pid }) => sum + (processorTimeOf(pid) ?? Number.NaN), 0)
}
