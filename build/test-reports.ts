import { readFileSync } from 'node:fs'

/** Results of a test runner. */
export interface Report {
  readonly passed: number
  readonly failed: number
  /** Names of failed tests, each followed by the beginning of the error message if there is one. */
  readonly broken: readonly string[]
  /** Names of skipped tests, with the reason if there is one. */
  readonly skipped: readonly string[]
  /** The ten slowest test files, slowest first. */
  readonly slowest: readonly TimedTest[]
}

/** Exit code of a check without tests that could not run and was not required. */
export const skippedCode = 77

export interface TimedTest {
  readonly title: string
  readonly seconds: number
}

/** Reads the JSON report of vitest; undefined if it is missing or incomplete. */
export function readVitest(path: string): Report | undefined {
  return read(path, countVitest)
}

/** Reads the JSON report of Playwright; undefined if it is missing or incomplete. */
export function readPlaywright(path: string): Report | undefined {
  return read(path, countPlaywright)
}

function read<Whole>(path: string, count: (report: Whole) => Report): Report | undefined {
  try {
    return count(JSON.parse(readFileSync(path, 'utf8')) as Whole)
  } catch {
    return undefined
  }
}

const mostReasonLines = 6

/** Matches colour codes in a runner's output. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

function withReason(title: string, message: string | undefined): string {
  const lines = (message ?? '').replaceAll(colours, '').split('\n')
  const reason = lines.filter((line) => line.trim() !== '').slice(0, mostReasonLines)
  return [title, ...reason.map((line) => `    ${line}`)].join('\n')
}

function slowestOf(timed: readonly TimedTest[]): TimedTest[] {
  return [...timed].sort((a, b) => b.seconds - a.seconds).slice(0, 10)
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    /** Duration of the whole file, including the time before its first test, which vitest.config.ts adds to the report. */
    readonly seconds: number
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** A file that fails to load has no tests and counts as one failure. */
function countVitest({ numPassedTests, numFailedTests, testResults }: VitestReport): Report {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  )
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status === 'failed')
  const skipped = results.filter(({ status }) => !['passed', 'failed'].includes(status))
  const timed = testResults.map(({ name, seconds }) => ({ title: shortened(name), seconds }))
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    broken: [
      ...failed.map(({ fullName, failureMessages }) => withReason(fullName, failureMessages?.[0])),
      ...broken.map(({ name }) => shortened(name)),
    ],
    skipped: skipped.map(({ fullName }) => fullName),
    slowest: slowestOf(timed),
  }
}

/** Path of a test file relative to the project's root. */
function shortened(path: string): string {
  return path.slice(path.lastIndexOf('/tests/') + 1)
}

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      readonly annotations?: readonly { readonly type: string; readonly description?: string }[]
      /** Durations in milliseconds. */
      readonly results: readonly {
        readonly duration: number
        readonly error?: { readonly message?: string }
      }[]
    }[]
  }[]
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly errors?: readonly unknown[]
  readonly suites: readonly PlaywrightSuite[]
}

/** A test that passed on a retry counts as passed; the report mentions it separately. */
function countPlaywright({ stats, suites, errors = [] }: PlaywrightReport): Report {
  const ran = suites.flatMap((suite) => testsOf(suite))
  const timed = suites.map((file) => ({ title: file.title, seconds: secondsOf(testsOf(file)) }))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    broken: ran
      .filter(({ status }) => status === 'unexpected')
      .map(({ title, results }) => withReason(title, results.at(-1)?.error?.message)),
    skipped: ran.filter(({ status }) => status === 'skipped').map(nameOfSkipped),
    slowest: slowestOf(timed),
  }
}

/** Sum over all attempts of all tests: the worker time of a file, which several workers may have shared. */
function secondsOf(ran: readonly TestRun[]): number {
  const durations = ran.flatMap(({ results }) => results.map(({ duration }) => duration))
  return durations.reduce((total, duration) => total + duration, 0) / 1000
}

type TestRun = NonNullable<PlaywrightSuite['specs']>[number]['tests'][number] & { readonly title: string }

function testsOf({ title, suites = [], specs = [] }: PlaywrightSuite): TestRun[] {
  const own = specs.flatMap((spec) =>
    spec.tests.map((test) => ({ ...test, title: `${title}: ${spec.title}` })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

function nameOfSkipped({ title, annotations = [] }: TestRun): string {
  const reason = annotations.find(({ type }) => type === 'skip')?.description
  return reason === undefined ? title : `${title} (${reason})`
}
