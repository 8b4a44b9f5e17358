import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeNewFile } from '#server/platform/sealed-files/new-file.ts'
import { openSealedFile } from '#server/platform/sealed-files/sealed-file.ts'
import { allOf } from '#server/platform/store/all-of.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-new-file-'))
  path = join(folder, 'monday')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const program = 'tests/support/stores/sealed-file.process.ts'
const run = (fate: string) => promisify(execFile)(process.execPath, ['--import', 'tsx', program, path, fate])
const write = (text: string) => writeNewFile(path, (file) => file.writeFile(text))

test('a killed run leaves nothing under the name, and the next one writes the whole file', async () => {
  await expect(run('killed')).rejects.toMatchObject({ signal: 'SIGKILL' })
  const [left, ...others] = await readdir(folder)
  expect(left).toMatch(/^monday\.selfsame-[0-9a-f]{12}\.part$/)
  expect(others).toEqual([])
  expect((await stat(join(folder, left!))).size).toBeGreaterThan(2 ** 20)
  await run('whole')
  expect((await readdir(folder)).sort()).toEqual(['monday', left])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const chunks = await allOf((await openSealedFile(path, 'a passphrase of some length')).chunks())
  expect(chunks.map(({ isLast }) => isLast)).toEqual([false, false, true])
})

test('a full disk is reported, and leaves no file', async () => {
  expect((await run('full')).stdout).toMatch(/^EFBIG/)
  expect(await readdir(folder)).toEqual([])
})

test('of several at once one gets the name, and the others are refused', async () => {
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map(write))
  const written = outcomes.findIndex(({ status }) => status === 'fulfilled')
  const why = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
  expect(why).toEqual(
    Array(3).fill(`${path} already exists. Files are never overwritten; choose another path.`),
  )
  expect(await readFile(path, 'utf8')).toBe('abcd'[written])
  expect(await readdir(folder)).toEqual(['monday'])
})

test('an existing file with the name stays unchanged, as does a dangling link', async () => {
  await symlink(join(folder, 'elsewhere'), path)
  await expect(write('a')).rejects.toThrow('Files are never overwritten')
  expect(await readdir(folder)).toEqual(['monday'])
})

test('remains of runs that were killed an hour ago are removed, under any name, and nothing else', async () => {
  const old = ['sunday.selfsame-0123456789ab.part', 'sunday.part', 'selfsame-0123456789ab.part', 'sunday']
  const young = 'saturday.selfsame-ba9876543210.part'
  for (const name of [...old, young]) await writeFile(join(folder, name), '')
  const hourAgo = Date.now() / 1000 - 3605
  for (const name of old) await utimes(join(folder, name), hourAgo, hourAgo)
  await write('a')
  expect(new Set(await readdir(folder))).toEqual(new Set([...old.slice(1), young, 'monday']))
})

test('a file system without links behaves the same, apart from a short gap', async () => {
  const refused = Object.assign(new Error('no links'), { code: 'EPERM' })
  const spy = vi.spyOn(fs.promises, 'link').mockRejectedValue(refused)
  syncBuiltinESMExports()
  try {
    await write('a')
    expect(await readFile(path, 'utf8')).toBe('a')
    const late = writeNewFile(join(folder, 'late'), async (file) => {
      await file.writeFile('mine')
      await writeFile(join(folder, 'late'), 'theirs')
    })
    await expect(late).rejects.toThrow('Files are never overwritten')
    expect(await readFile(join(folder, 'late'), 'utf8')).toBe('theirs')
    expect((await readdir(folder)).sort()).toEqual(['late', 'monday'])
    expect(spy).toHaveBeenCalled()
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
})
