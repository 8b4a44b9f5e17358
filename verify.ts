import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sentenceForPackages } from './build/lab-packages.ts'
import { sentenceFor } from './build/outside-programs.mjs'
import { stageTable, type TimedCheck, type TimedStage } from './build/stage-table.ts'
import { type Report, readPlaywright, readVitest, skippedCode } from './build/test-reports.ts'
import { listOf, oneOf, readWords } from './build/usage.ts'

const usage = `Usage: npm run verify -- [--only=lint,vitest] [--long]

Runs all checks that a change must pass. Prints the duration of each stage and the slowest test files,
and ends with "N passed, N failed", and ", N skipped" if any were; a check without tests counts as one.

On two idle cores it takes about 14 minutes:
  lint, unused, build, types   1 minute, all at once
  vitest                       7 minutes
  chromium                     5 minutes
  firefox, webkit              40 seconds each

If a required program is missing, one sentence names the package to install, and nothing is run.

  --only   only these checks: those above, and those of the long form: node24, store, openid, processes, postgres,
           disk, memory, flood, fuzz, in their short forms without --long, and defences (twenty minutes)
  --long   before a release, two hours: repeats each act three times, tries all variants instead of one, starts the server
           on Node 24, fuzzes and tortures; without it each act runs once or twice, or ACTED_RUNS times`

interface Check {
  readonly name: string
  /** Arguments for Node. */
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Runs only before a release, or if it is requested by name. */
  readonly isLong?: boolean
  /** Reads the report of the command; undefined if it left none. */
  readonly report?: () => Report | undefined
}

type Outcome = Report & TimedCheck

type RunStage = TimedStage & { readonly checks: readonly Outcome[] }

const { values } = readWords(usage, { only: { type: 'string' }, long: { type: 'boolean', default: false } })
const length = values.long ? { ACTED_RUNS: '3' } : {}
const reports = mkdtempSync(join(tmpdir(), 'selfsame-verify-'))
const vitestReport = join(reports, 'vitest.json')

const tsx = ['node_modules/tsx/dist/cli.mjs']
const torture = (name: string): Check => ({
  name,
  command: [...tsx, 'lab/torture/torture.ts', name, ...(values.long ? [] : ['--short'])],
  isLong: true,
})

/** Visits in one engine. If the engine is not installed, its tests are skipped and the summary says so. */
function visits(name: string, ...words: readonly string[]): Check {
  const file = join(reports, `${name}.json`)
  return {
    name,
    command: ['node_modules/@playwright/test/cli.js', 'test', ...words, '--reporter=list,json'],
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    report: () => readPlaywright(file),
  }
}

const otherEngines = ['firefox', 'webkit']

/**
 * Stages run one after the other, the checks of a stage concurrently. Time-sensitive checks run alone: malformed requests, most tortures, and visits in browsers.
 * WebKit may hang while loading if it is started next to another browser. The compiler uses one checker, because four would each infer the same types.
 */
const stages: readonly (readonly Check[])[] = [
  [
    { name: 'lint', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
    { name: 'unused', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
    { name: 'build', command: [...tsx, 'build.ts', '--if-stale'] },
    { name: 'types', command: ['node_modules/typescript-7/bin/tsc', '-b', '--checkers', '1'] },
  ],
  [
    torture('store'),
    torture('openid'),
    { name: 'node24', command: [...tsx, 'lab/smoke/smoke.ts', '--node', '24'], isLong: true },
    {
      name: 'vitest',
      // Retries like the browser tests, because a busy server may not answer for seconds. The report names tests that passed on a retry.
      command: ['node_modules/vitest/vitest.mjs', 'run', '--retry=1', `--outputFile.json=${vitestReport}`],
      report: () => readVitest(vitestReport),
    },
  ],
  [
    {
      name: 'fuzz',
      command: [...tsx, 'lab/fuzz/fuzz.ts', '--requests', values.long ? '20000' : '800'],
      isLong: true,
    },
  ],
  [{ name: 'defences', command: [...tsx, 'lab/defences/defences.ts'], isLong: true }],
  ...['flood', 'disk', 'memory', 'processes', 'postgres'].map((name) => [torture(name)]),
  [visits('chromium')],
  ...otherEngines.map((name) => [
    visits(name, '--config=engines.config.ts', `--project=${name}`, `--output=test-results/${name}`),
  ]),
]

async function verify(names: readonly string[]): Promise<boolean> {
  const ran: RunStage[] = []
  for (const stage of stages) {
    const wanted = stage.filter(({ name }) => names.includes(name))
    const start = performance.now()
    const checks = await Promise.all(wanted.map((check) => run(check, wanted.length === 1)))
    ran.push({ seconds: secondsSince(start), checks })
  }
  const outcomes = ran.flatMap(({ checks }) => checks)
  heading('summary')
  for (const outcome of outcomes) console.log(`${outcome.name}: ${line(outcome)}`)
  const all = sum(outcomes)
  if (all.broken.length > 0) console.log(`\nfailed:\n${all.broken.map((name) => `  ${name}`).join('\n')}`)
  if (all.skipped.length > 0) console.log(`\nskipped:\n${all.skipped.map((name) => `  ${name}`).join('\n')}`)
  if (!existsSync('../shared/data')) {
    console.log('\n../shared/data is absent, so checks that need its pictures and clips were skipped.')
  }
  heading('seconds')
  for (const row of stageTable(ran)) console.log(row)
  heading('engines')
  for (const row of engineLines(outcomes)) console.log(row)
  console.log(`\n${line(all)}`)
  return all.failed === 0
}

/** Results of the visits, one line per engine. */
function engineLines(outcomes: readonly Outcome[]): string[] {
  return ['chromium', ...otherEngines].map((engine) => {
    const outcome = outcomes.find(({ name }) => name === engine)
    const words =
      outcome === undefined ? 'not requested' : `${line(outcome)} (${outcome.seconds.toFixed(1)} s)`
    return `${engine}: ${words}`
  })
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000
}

function heading(name: string): void {
  console.log(`\n=== ${name} ===\n`)
}

/** Runs a check. Its output is shown live if it runs alone, otherwise at the end. */
async function run({ name, command, environment, report }: Check, alone: boolean): Promise<Outcome> {
  const start = performance.now()
  if (alone) heading(name)
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', alone ? 'inherit' : 'pipe', alone ? 'inherit' : 'pipe'],
    env: { ...process.env, ...length, ...environment },
  })
  const said = alone ? [] : listen(child)
  const code = await exitCode(child)
  if (!alone) {
    heading(name)
    process.stdout.write(Buffer.concat(said))
  }
  const seconds = secondsSince(start)
  console.log(`\n(${seconds.toFixed(1)} s)`)
  const counts = report?.()
  if (counts === undefined) {
    return {
      name,
      seconds,
      passed: code === 0 ? 1 : 0,
      failed: code === 0 || code === skippedCode ? 0 : 1,
      broken: [],
      skipped: code === skippedCode ? [name] : [],
      slowest: [],
    }
  }
  return { name, seconds, ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed }
}

function listen({ stdout, stderr }: ChildProcess): Buffer[] {
  const said: Buffer[] = []
  for (const stream of [stdout!, stderr!]) stream.on('data', (chunk: Buffer) => said.push(chunk))
  return said
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

function line({ passed, failed, skipped }: Pick<Report, 'passed' | 'failed' | 'skipped'>): string {
  const rest = skipped.length === 0 ? '' : `, ${skipped.length} skipped`
  return `${passed} passed, ${failed} failed${rest}`
}

function sum(outcomes: readonly Outcome[]): Omit<Report, 'slowest'> {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
    broken: outcomes.flatMap(({ broken }) => broken),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
  }
}

const all = stages.flat()
const known = all.map(({ name }) => name)
const usual = all.filter(({ isLong }) => values.long || !isLong).map(({ name }) => name)
const names = listOf(usual, values.only).map((name) => oneOf('--only', known, name))
const lacking = sentenceFor(names) ?? sentenceForPackages()
try {
  if (lacking === undefined) process.exitCode = (await verify(names)) ? 0 : 1
  else {
    console.log(`${lacking}\n\n0 passed, 1 failed`)
    process.exitCode = 1
  }
} finally {
  rmSync(reports, { recursive: true, force: true })
}
