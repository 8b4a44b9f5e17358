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

/** What reaches beyond its own file: another module in the place of a real one, or the memory and the time of the whole process. */
const reaching = /\bvi\.(mock|doMock)\(|\bkeepCollectingGarbage\(|\bprocess\.cpuUsage\(/

/** What starts programs, and waits for them. */
const starting = /\bsupport\/(programs\/|stores\.ts)/

/** What the long form runs and the short one does not; and so all tests of lab/, of which nothing ships. */
const lengthy = /\blong-alone\.ts'/

const files = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `tests/${name}`)
const alone = files.filter((file) => isLike(reaching, file))
const left = isLong ? [] : files.filter((file) => file.startsWith('tests/lab/') || isLike(lengthy, file))

function isLike(words: RegExp, file: string): boolean {
  return words.test(readFileSync(file, 'utf8'))
}

/** The longest first, so that no process is left alone with one; and none that others share ends for one that is alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === 'alone' ? 0 : isLike(starting, moduleId) ? 1 : 2
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/**
 * The JSON report, with the seconds of each whole file: vitest's own tells from its first test to its last, and a server
 * that is started before the first one would count for nothing.
 */
class WholeFiles extends JsonReporter {
  #seconds = new Map<string, number>()

  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    this.#seconds = new Map(modules.map((module) => [module.moduleId, secondsOf(module)]))
    const again = modules.flatMap((module) => [...module.children.allTests('passed')].filter(isRetried))
    if (again.length > 0)
      console.log(`\nPassed at the second try:\n${again.map((test) => `  ${test.fullName}`).join('\n')}`)
    await super.onTestRunEnd(modules)
  }

  /** Only where somebody names a file for it: `--outputFile.json=FILE`. */
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
 * Files that reach beyond themselves have a process each; all others go through a few processes one after the other,
 * which load the server and the networks once.
 */
export default defineConfig({
  plugins: [preact()],
  test: {
    // They end what hangs, and measure nothing: a crowded core may take a minute for what takes ten seconds elsewhere.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', new WholeFiles({})],
    sequence: { sequencer: LongestFirst },
    // Three on two cores: each loads the server, and makes its code fast, for itself. With six of them the same tests take a quarter more
    // of the processor's time, and with two the cores stand idle where tests wait.
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
