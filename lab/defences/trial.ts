import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type NamedTest, patternOf } from './defence.ts'

/** What a run says about a named test. A test that did not run says nothing: its file may not even load. */
export type Outcome = 'passed' | 'failed' | 'not run'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** Long enough for a busy machine, and short enough for a change that makes a test wait for ever. */
const mostMilliseconds = 60_000

/** Runs named tests of one file in a copy of the sources, and answers what came of each, in their order. */
export async function tryTests(folder: string, file: string, titles: readonly string[]): Promise<Outcome[]> {
  const path = join(folder, 'report.json')
  rmSync(path, { force: true })
  const patterns = titles.map(patternOf)
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      file,
      `--testNamePattern=${patterns.map(({ source }) => source).join('|')}`,
      '--maxWorkers=1',
      `--testTimeout=${mostMilliseconds}`,
      `--hookTimeout=${mostMilliseconds}`,
      '--reporter=json',
      `--outputFile.json=${path}`,
      // What was transformed for one run is not transformed for the next: it costs more than most tests.
      '--experimental.fsModuleCache',
      `--experimental.fsModuleCachePath=${join(folder, '.cache/modules')}`,
    ],
    { cwd: folder, stdio: 'ignore', env: { ...process.env, ...lengthFor(folder, file) } },
  )
  await once(child, 'close')
  if (!existsSync(path)) return titles.map(() => 'not run')
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return patterns.map((pattern) => outcomeOf(results.filter(({ title }) => pattern.test(title))))
}

function outcomeOf(results: readonly { readonly status: string }[]): Outcome {
  if (results.some(({ status }) => status === 'failed')) return 'failed'
  return results.some(({ status }) => status === 'passed') ? 'passed' : 'not run'
}

/** The usual run leaves out what runs in the long form alone (vitest.config.ts). */
function lengthFor(folder: string, file: string): NodeJS.ProcessEnv {
  const isLong =
    file.startsWith('tests/lab/') || readFileSync(join(folder, file), 'utf8').includes("long-alone.ts'")
  return isLong ? { ACTED_RUNS: '2' } : {}
}

/** The same tests by their file, so that one run tries all of a file. */
export function byFile(tests: readonly NamedTest[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const [file, title] of tests) {
    const titles = files.get(file) ?? []
    if (!titles.includes(title)) files.set(file, [...titles, title])
  }
  return files
}
