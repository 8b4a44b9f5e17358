import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import preact from '@preact/preset-vite'
import { defineConfig } from 'vitest/config'
import {
  BaseSequencer,
  JsonReporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from 'vitest/node'
import { isLong } from './e2e/support/length.ts'

/** Matches tests that affect more than their own file: replaced modules, or measurements of the process's memory or time. */
const reaching = /\bvi\.(mock|doMock)\(|\bkeepCollectingGarbage\(|\bprocess\.cpuUsage\(/

/** Matches tests that start programs and wait for them. */
const starting = /\bsupport\/(programs\/|stores\.ts)/

/** Matches tests of the long form only. All tests of lab/ are too, because nothing of it ships. */
const lengthy = /\blong-alone\.ts'/

const files = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `tests/${name}`)
const alone = files.filter((file) => isLike(reaching, file))
const left = isLong ? [] : files.filter((file) => file.startsWith('tests/lab/') || isLike(lengthy, file))

function isLike(words: RegExp, file: string): boolean {
  return words.test(readFileSync(file, 'utf8'))
}

/** Runs files with a separate process first, then those that start programs, so that no process is left with a long file at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === 'alone' ? 0 : isLike(starting, moduleId) ? 1 : 2
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/**
 * The JSON report with the duration of whole files. Vitest's own durations run from the first test to the last, so a server
 * that is started before the first test would not count.
 */
class WholeFiles extends JsonReporter {
  #seconds = new Map<string, number>()

  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    this.#seconds = new Map(modules.map((module) => [module.moduleId, secondsOf(module)]))
    const again = modules.flatMap((module) => [...module.children.allTests('passed')].filter(isRetried))
    if (again.length > 0)
      console.log(`\nPassed on a retry:\n${again.map((test) => `  ${test.fullName}`).join('\n')}`)
    await super.onTestRunEnd(modules)
  }

  /** Only writes if a file is named: `--outputFile.json=FILE`. */
  override async writeReport(report: string): Promise<void> {
    if (this.ctx.config.outputFile === undefined) return
    const whole = JSON.parse(report) as { testResults: { name: string; seconds?: number }[] }
    for (const result of whole.testResults) result.seconds = this.#seconds.get(result.name) ?? 0
    await super.writeReport(JSON.stringify(whole))
  }
}

function isRetried(test: TestCase): boolean {
  return (test.diagnostic()?.retryCount ?? 0) > 0
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return (collectDuration + setupDuration + duration) / 1000
}

/**
 * Files that affect their process get a separate one; all others share a few processes, one after the other,
 * which load the server and the networks once.
 */
export default defineConfig({
  plugins: [preact()],
  test: {
    // The timeout only ends hanging tests. On a busy core, what takes ten seconds elsewhere may take a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', new WholeFiles({})],
    sequence: { sequencer: LongestFirst },
    // Three on two cores: each process loads the server and compiles its hot code. With six the same tests take a quarter more
    // processor time, and with two the cores are idle while tests wait.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: left } },
      {
        extends: true,
        test: {
          name: 'together',
          setupFiles: ['tests/support/drawn/lay-over-evidence.ts'],
          isolate: false,
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          exclude: [...alone, ...left],
          globalSetup: ['tests/contract/tally.ts'],
        },
      },
    ],
  },
})
