import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  missingPrograms,
  type OutsideProgram,
  outsidePrograms,
  sentenceFor,
} from '../../build/outside-programs.mjs'

const needed: OutsideProgram = {
  name: 'Redis',
  found: ['redis-server'],
  packages: ['redis-server'],
  neededBy: 'tests',
  checks: ['vitest'],
  required: true,
}

describe('programs beside Node', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'selfsame-programs-'))
    writeFileSync(join(folder, 'redis-server'), '')
    chmodSync(join(folder, 'redis-server'), 0o755)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('are found in the path, or at a place with one star', () => {
    expect(missingPrograms([needed], folder)).toEqual([])
    expect(missingPrograms([needed], '/nowhere')).toEqual([needed])
    const placed = { ...needed, found: [`${tmpdir()}/*/redis-server`] }
    expect(missingPrograms([placed], '')).toEqual([])
    expect(missingPrograms([{ ...placed, found: ['/nowhere/*/redis-server'] }], '')).toHaveLength(1)
  })

  test('that a check requires are named in one sentence, with what installs them', () => {
    const chromium = { ...needed, name: 'Chromium', packages: ['chromium'] }
    expect(sentenceFor(['vitest'], [chromium, needed])).toBe(
      'Chromium and Redis are missing. On Debian, run "apt-get install chromium redis-server", or .ci/run, which does it for you.',
    )
    expect(sentenceFor(['lint'], [needed])).toBeUndefined()
    expect(sentenceFor(['vitest'], [{ ...needed, required: false }])).toBeUndefined()
  })

  test('are checked by verify before anything runs', () => {
    const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', 'verify.ts'], {
      env: { PATH: folder },
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^Chromium, .* are missing\. .*\n\n0 passed, 1 failed\n$/)
    expect(status).toBe(1)
  })

  test('are used only by checks that there are', () => {
    const known = [
      ...readFileSync('verify.ts', 'utf8').matchAll(/(?:name: |torture\(|visits\()'(\w+)'/g),
    ].map(([, name]) => name)
    const used = new Set(outsidePrograms.flatMap(({ checks }) => checks))
    expect(
      [...used].filter((name) => ![...known, 'postgres', 'processes', 'firefox', 'webkit'].includes(name)),
    ).toEqual([])
  })
})
