import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')

test('missing footage is reported with the required files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-footage-'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsx, join(root, 'lab/visits/acted.ts')], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(join('..', 'shared', 'data', 'liveness', 'replay-videos'))
  expect(stderr).toContain('Krzysiek354_real.webm')
  for (const file of ['labels.csv', 'segments.csv']) expect(stderr).toContain(file)
})
