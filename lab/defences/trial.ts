import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type NamedTest, patternOf } from './defence.ts'

/** A test's result. `not run` proves nothing, because the file may have failed to load. */
export type Outcome = 'passed' | 'failed' | 'not run'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly ancestorTitles: readonly string[]
      readonly status: string
    }[]
  }[]
}

/** Long enough even on a busy machine. Some changes cause a test to hang. */
const mostMilliseconds = 60_000
/** A loop that never yields cannot be interrupted by the runner, so its process is killed. */
const hangsAfterMilliseconds = 600_000

/**
 * Runs tests or groups from one file by their titles in a copy of the sources, and returns their outcomes in the same order.
 * `untilOneFails` skips the rest after a failure, and counts a run that does not end as one.
 */
export async function tryTests(
  folder: string,
  file: string,
  titles: readonly string[],
  { untilOneFails = false }: { untilOneFails?: boolean } = {},
): Promise<Outcome[]> {
  const path = join(folder, 'report.json')
  rmSync(path, { force: true })
  const patterns = titles.map(patternOf)
  // The runner matches against a single string that consists of the titles of a test's groups, followed by its own title.
  const names = patterns.map(({ source }) => `(?:^| )${source.slice(1, -1)}(?: |$)`)
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      file,
      `--testNamePattern=${names.join('|')}`,
      '--maxWorkers=1',
      ...(untilOneFails ? ['--bail=1'] : []),
      `--testTimeout=${mostMilliseconds}`,
      `--hookTimeout=${mostMilliseconds}`,
      '--reporter=json',
      `--outputFile.json=${path}`,
      // Runs share transformed modules, because transforming them takes longer than most tests.
      '--experimental.fsModuleCache',
      `--experimental.fsModuleCachePath=${join(folder, '.cache/modules')}`,
    ],
    { cwd: folder, stdio: 'ignore', env: { ...process.env, ...lengthFor(folder, file) }, detached: true },
  )
  const stop = () => void process.kill(-child.pid!, 'SIGKILL')
  process.once('exit', stop)
  const hanging = AbortSignal.timeout(hangsAfterMilliseconds)
  if (untilOneFails) hanging.addEventListener('abort', stop)
  await once(child, 'close')
  hanging.removeEventListener('abort', stop)
  process.off('exit', stop)
  if (untilOneFails && hanging.aborted) return titles.map(() => 'failed')
  if (!existsSync(path)) return titles.map(() => 'not run')
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return patterns.map((pattern) =>
    outcomeOf(
      results.filter(({ title, ancestorTitles }) =>
        [title, ...ancestorTitles].some((one) => pattern.test(one)),
      ),
    ),
  )
}

function outcomeOf(results: readonly { readonly status: string }[]): Outcome {
  if (results.some(({ status }) => status === 'failed')) return 'failed'
  return results.some(({ status }) => status === 'passed') ? 'passed' : 'not run'
}

/** A normal run skips tests that are only part of the long version. */
function lengthFor(folder: string, file: string): NodeJS.ProcessEnv {
  const isLong =
    file.startsWith('tests/lab/') ||
    /\blong-alone\.ts'|\bisLong\b/.test(readFileSync(join(folder, file), 'utf8'))
  return isLong ? { ACTED_RUNS: '2' } : {}
}

/** Groups tests by file, so that a single run covers all tests in a file. */
export function byFile(tests: readonly NamedTest[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const [file, title] of tests) {
    const titles = files.get(file) ?? []
    if (!titles.includes(title)) files.set(file, [...titles, title])
  }
  return files
}
