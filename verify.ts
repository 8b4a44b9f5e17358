import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run verify`: everything that must hold before a change is kept. Ends with `N passed, N failed`, and
 * `, N skipped` where something was; each check without tests of its own counts as one.
 *
 * `--only=lint,vitest` runs some of the checks. `--long` repeats each act ten times, as the figures of the README
 * ask for; otherwise once or twice, or as often as ACTED_RUNS says.
 */

interface Outcome {
  readonly passed: number
  readonly failed: number
  /** Names of what was skipped, with the reason where one is known. */
  readonly skipped: readonly string[]
}

interface Check {
  readonly name: string
  /** Arguments of Node. */
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Counts the tests of the report that the command leaves; undefined where it left none. */
  readonly count?: () => Outcome | undefined
}

const length = process.argv.includes('--long') ? { ACTED_RUNS: '10' } : {}
const reports = mkdtempSync(join(tmpdir(), 'selfsame-verify-'))
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const checks: readonly Check[] = [
  { name: 'lint', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'unused', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'build', command: ['node_modules/tsx/dist/cli.mjs', 'build.ts', '--if-stale'] },
  { name: 'fuzz', command: ['node_modules/tsx/dist/cli.mjs', 'tests/fuzz/fuzz.ts', '--requests', '1500'] },
  {
    name: 'torture',
    command: ['node_modules/tsx/dist/cli.mjs', 'tests/torture/torture.ts', 'store', '--short'],
  },
  {
    name: 'vitest',
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
    count: () => readReport(vitestReport, countVitest),
  },
  {
    name: 'playwright',
    command: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
    count: () => readReport(playwrightReport, countPlaywright),
  },
]

async function verify(names: readonly string[]): Promise<boolean> {
  const outcomes: (Outcome & { readonly name: string })[] = []
  for (const check of checks.filter(({ name }) => names.includes(name))) {
    heading(check.name)
    outcomes.push({ name: check.name, ...(await run(check)) })
  }
  heading('summary')
  for (const { name, passed, failed, skipped } of outcomes)
    console.log(`${name}: ${line({ passed, failed, skipped })}`)
  const all = sum(outcomes)
  if (all.skipped.length > 0) console.log(`\nskipped:\n${all.skipped.map((name) => `  ${name}`).join('\n')}`)
  if (!existsSync('../shared/data')) {
    console.log('\n../shared/data is absent: what is measured on its pictures and clips was skipped.')
  }
  console.log(`\n${line(all)}`)
  return all.failed === 0
}

function heading(name: string): void {
  console.log(`\n=== ${name} ===\n`)
}

async function run({ command, environment, count }: Check): Promise<Outcome> {
  const start = Date.now()
  const code = await exitCode(command, environment)
  console.log(`\n(${((Date.now() - start) / 1000).toFixed(1)} s)`)
  const counted = count?.()
  if (counted === undefined) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] }
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted
}

function exitCode(command: readonly string[], environment: Check['environment']): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...length, ...environment },
    })
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

function line({ passed, failed, skipped }: Outcome): string {
  const rest = skipped.length === 0 ? '' : `, ${skipped.length} skipped`
  return `${passed} passed, ${failed} failed${rest}`
}

function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
  }
}

/** A report that is missing or cut short is no report: the check then counts by its exit code. */
function readReport<Report>(path: string, count: (report: Report) => Outcome): Outcome | undefined {
  try {
    return count(JSON.parse(readFileSync(path, 'utf8')) as Report)
  } catch {
    return undefined
  }
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** A file that does not even load has no tests, and counts as one that failed. */
function countVitest({ numPassedTests, numFailedTests, testResults }: VitestReport): Outcome {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  )
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => !['passed', 'failed'].includes(status))
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: skipped.map(({ fullName }) => fullName),
  }
}

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      readonly annotations?: readonly { readonly type: string; readonly description?: string }[]
    }[]
  }[]
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly errors?: readonly unknown[]
  readonly suites: readonly PlaywrightSuite[]
}

/** A test that passed only when it was tried again has passed, and the report says so above. */
function countPlaywright({ stats, suites, errors = [] }: PlaywrightReport): Outcome {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: suites.flatMap(skippedOf),
  }
}

function skippedOf({ title, suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations = [] }) => {
        const reason = annotations.find(({ type }) => type === 'skip')?.description
        return `${title}: ${spec.title}${reason === undefined ? '' : ` (${reason})`}`
      }),
  )
  return [...own, ...suites.flatMap(skippedOf)]
}

const only = process.argv.find((argument) => argument.startsWith('--only='))
const names = only?.slice('--only='.length).split(',') ?? checks.map(({ name }) => name)
try {
  process.exitCode = (await verify(names)) ? 0 : 1
} finally {
  rmSync(reports, { recursive: true, force: true })
}
