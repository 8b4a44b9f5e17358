import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '#lab/statistics/quantile.ts'
import { openWorker } from '../../../server/platform/running/open-worker.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { countOf } from '../start/start.ts'
import { type FilledDeployment, fillDeployment } from './filled-deployment.ts'
import type { HealthCheck } from './health-checks.ts'
import { type MeasuredRead, type ReadServer, reads, readsAfterStart } from './reads.ts'
import { turnProbe, turnsFrom } from './turn-probe.ts'

const usual = 'sessions=20k,audit=100k,faces=20k,deliveries=20k,pictures=1k'
const idleMilliseconds = 10_000
/** Faster reads are repeated, so that their p99 is based on enough checks. */
const leastMilliseconds = 4000
const starts = 3
const restMilliseconds = 1500

/** The figures for a single read. */
interface Stalls {
  readonly mostMs: number
  readonly healthzP99Ms: number
  readonly checks: number
  readonly milliseconds: number
}

/** A time span that counts as one read. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * `npm run bench -- stalls [--sizes sessions=20k,…] [--only usage,refused]`: for each read that is large, or that callers can make large, measures
 * the most processor time that the built server's main thread spends in one turn of its event loop, and the p99 of /v1/healthz, which is requested
 * 100 times per second in the meantime. The targets are 50 ms, and three times the p99 of an idle server. Fills a deployment on LMDB first.
 */
export async function benchStalls({ sizes, only }: Options): Promise<Record<string, number>> {
  const size = sizesOf(sizes)
  const deployment = await fillDeployment(size)
  try {
    return await measure(deployment, size.pictures, chosenBy(only))
  } finally {
    await deployment.close()
  }
}

interface Options {
  readonly sizes?: string | undefined
  /** Name prefixes. If undefined, all reads are measured. */
  readonly only?: string | undefined
}

function chosenBy(only: string | undefined): (read: MeasuredRead) => boolean {
  const beginnings = only?.split(',')
  return ({ name }) => beginnings?.some((beginning) => name.startsWith(beginning)) ?? true
}

function sizesOf(given: string | undefined) {
  const parts = `${usual}${given === undefined ? '' : `,${given}`}`.split(',')
  const named = new Map(parts.map((part) => part.split('=') as [string, string]))
  const of = (name: string) => Math.round(countOf(named.get(name)!))
  return {
    sessions: of('sessions'),
    auditEntries: of('audit'),
    faces: of('faces'),
    deliveries: of('deliveries'),
    pictures: of('pictures'),
  }
}

async function measure(
  deployment: FilledDeployment,
  pictures: number,
  isChosen: (read: MeasuredRead) => boolean,
): Promise<Record<string, number>> {
  const rows = new Map<string, Stalls>()
  for (const read of readsAfterStart.filter(isChosen)) {
    const found: Stalls[] = []
    for (let start = 0; start < starts; start++)
      found.push(await withServer(deployment, (watch) => watch.during(() => read.run(watch.server))))
    rows.set(read.name, worstOf(found))
    say(read.name, rows.get(read.name)!)
  }
  await withServer(deployment, async (watch) => {
    rows.set('idle', await watch.during(() => pause(idleMilliseconds)))
    say('idle', rows.get('idle')!)
    for (const read of reads(pictures).filter(isChosen)) {
      rows.set(read.name, await watch.during(() => repeated(read, watch.server)))
      say(read.name, rows.get(read.name)!)
    }
  })
  printTable(rows)
  return Object.fromEntries(
    [...rows].flatMap(([name, { mostMs, healthzP99Ms }]) => [
      [`stalls.${name}.mostMs`, mostMs],
      [`stalls.${name}.healthzP99Ms`, healthzP99Ms],
    ]),
  )
}

async function repeated(read: MeasuredRead, server: ReadServer): Promise<void> {
  const until = performance.now() + leastMilliseconds
  do await read.run(server)
  while (performance.now() < until)
}

function worstOf(found: readonly Stalls[]): Stalls {
  return {
    mostMs: Math.max(...found.map(({ mostMs }) => mostMs)),
    healthzP99Ms: Math.max(...found.map(({ healthzP99Ms }) => healthzP99Ms)),
    checks: found.reduce((sum, { checks }) => sum + checks, 0),
    milliseconds: found.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  }
}

interface Watch {
  readonly server: ReadServer
  during(work: () => Promise<unknown>): Promise<Stalls>
}

/** Starts the built server on the deployment, lets it settle, and monitors it. */
async function withServer<T>(
  { folder, apiKey }: FilledDeployment,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  const probed = await mkdtemp(join(tmpdir(), 'selfsame-turns-'))
  const file = join(probed, 'turns')
  await writeFile(file, '')
  const settings = { DATA_DIR: folder, FIRST_API_KEY: 'x'.repeat(43) }
  const server = await startBuiltServer(settings, ['--import', turnProbe(file)], { needsKey: false })
  const health = await watchHealth(server)
  const during: Watch['during'] = async (task) => {
    await pause(restMilliseconds)
    const from = Date.now()
    await task()
    const span = { from, to: Date.now() }
    await pause(restMilliseconds)
    return stallsIn(span, await readFile(file, 'utf8'), health.checks)
  }
  try {
    return await work({ server: { origin: server.origin, apiKey }, during })
  } finally {
    await health.stop()
    await server.stop()
    await rm(probed, { recursive: true, force: true })
  }
}

async function watchHealth({ origin }: BuiltServer) {
  while (!(await fetch(`${origin}/v1/readyz`)).ok) await pause(20)
  const checks: HealthCheck[] = []
  const { worker } = openWorker(join(import.meta.dirname, 'health-checks.ts'), 'health', { origin })
  worker.on('message', (check: HealthCheck) => void checks.push(check))
  while (checks.length === 0) await pause(20)
  return { checks, stop: () => worker.terminate() }
}

function stallsIn({ from, to }: Span, turns: string, checks: readonly HealthCheck[]): Stalls {
  const within = turnsFrom(turns).filter(({ endedAt }) => endedAt >= from && endedAt <= to)
  const taken = checks.filter(({ askedAt }) => askedAt >= from && askedAt <= to).map(({ took }) => took)
  return {
    mostMs: Math.max(0, ...within.map(({ processorMs }) => processorMs)),
    healthzP99Ms: quantile(taken, 0.99),
    checks: taken.length,
    milliseconds: to - from,
  }
}

const columns = [28, 14, 14, 9, 9] as const

function lineOf(...cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[i]!))).join('')
}

function cellsOf(name: string, { mostMs, healthzP99Ms, checks, milliseconds }: Stalls): string {
  return lineOf(
    name,
    mostMs.toFixed(1),
    healthzP99Ms.toFixed(1),
    String(checks),
    (milliseconds / 1000).toFixed(1),
  )
}

/** Prints the progress, because a run takes several minutes. */
function say(name: string, stalls: Stalls): void {
  process.stderr.write(`${cellsOf(name, stalls)}\n`)
}

function printTable(rows: ReadonlyMap<string, Stalls>): void {
  console.log(lineOf('read', 'most ms a turn', 'healthz p99 ms', 'checks', 'seconds'))
  for (const [name, stalls] of rows) console.log(cellsOf(name, stalls))
}
