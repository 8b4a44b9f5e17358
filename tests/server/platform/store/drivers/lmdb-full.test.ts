import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0
const why = hasPrlimit ? '' : ' (skipped: needs prlimit of util-linux)'

test.skipIf(!hasPrlimit)(
  `a store whose file cannot grow refuses whole writes, still serves reads, and accepts writes again by itself${why}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'selfsame-full-'))
    const program = 'tests/support/programs/full-disk.process.ts'
    const printed = execFileSync(process.execPath, ['--import', 'tsx', program, folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const found = JSON.parse(printed)
    expect(found.acknowledged).toBeGreaterThan(4)
    expect(found).toMatchObject({
      refusal: 'store_read_only',
      isWriteFailed: expect.any(String),
      readWhileFull: found.acknowledged,
      partsOfRefused: 0,
      told: [expect.any(String), null],
      after: 20_000,
      kept: found.acknowledged,
    })
    rmSync(folder, { recursive: true, force: true })
  },
  30_000,
)
