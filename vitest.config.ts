import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import preact from '@preact/preset-vite'
import { defineConfig } from 'vitest/config'

/** What reaches beyond its own file: another module in the place of a real one, or the memory of the whole process. */
const reaching = /\bvi\.(mock|doMock)\(|\bkeepCollectingGarbage\(/

const alone = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `tests/${name}`)
  .filter((file) => reaching.test(readFileSync(file, 'utf8')))

/**
 * Files that reach beyond themselves have a process each; all others go through a few processes one after the other,
 * which load the server and the networks once.
 */
export default defineConfig({
  plugins: [preact()],
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two for each core: many tests wait for processes and clocks, and leave their core to another.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'together',
          isolate: false,
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          exclude: alone,
          globalSetup: ['tests/contract/tally.ts'],
        },
      },
    ],
  },
})
