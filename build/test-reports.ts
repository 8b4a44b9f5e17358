import { readFileSync } from 'node:fs'

/** What a runner of tests found. */
export interface Report {
  readonly passed: number
  readonly failed: number
  /** Names of what failed, each with the beginning of the reason on lines of its own where one is known. */
  readonly broken: readonly string[]
  /** Names of what was skipped, with the reason where one is known. */
  readonly skipped: readonly string[]
  /** The ten files of tests that took longest, the longest first. */
  readonly slowest: readonly Timed[]
}

/** What a check without tests of its own ends with where it could not be made, and was not needed. */
export const skippedCode = 77

export interface Timed {
  readonly title: string
  readonly seconds: number
}

/** Reads the JSON report of vitest; undefined where there is none that is whole. */
export function readVitest(path: string): Report | undefined {
  return read(path, countVitest)
}

/** Reads the JSON report of Playwright; undefined where there is none that is whole. */
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

/** The lines of a runner may be coloured. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

function withReason(title: string, message: string | undefined): string {
  const lines = (message ?? '').replaceAll(colours, '').split('\n')
  const reason = lines.filter((line) => line.trim() !== '').slice(0, mostReasonLines)
  return [title, ...reason.map((line) => `    ${line}`)].join('\n')
}

function slowestOf(timed: readonly Timed[]): Timed[] {
  return [...timed].sort((a, b) => b.seconds - a.seconds).slice(0, 10)
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    /** Of the whole file, with what is made before its first test: vitest.config.ts adds it to the report. */
    readonly seconds: number
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** A file that does not even load has no tests, and counts as one that failed. */
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

/** The path of a test's file, from the project's root. */
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

/** A test that passed only when it was tried again has passed, and the report says so above. */
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

/** All tries of all tests: what a file costs its workers, of which several may have been at it at once. */
function secondsOf(ran: readonly Ran[]): number {
  const durations = ran.flatMap(({ results }) => results.map(({ duration }) => duration))
  return durations.reduce((total, duration) => total + duration, 0) / 1000
}

type Ran = NonNullable<PlaywrightSuite['specs']>[number]['tests'][number] & { readonly title: string }

function testsOf({ title, suites = [], specs = [] }: PlaywrightSuite): Ran[] {
  const own = specs.flatMap((spec) =>
    spec.tests.map((test) => ({ ...test, title: `${title}: ${spec.title}` })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

function nameOfSkipped({ title, annotations = [] }: Ran): string {
  const reason = annotations.find(({ type }) => type === 'skip')?.description
  return reason === undefined ? title : `${title} (${reason})`
}
