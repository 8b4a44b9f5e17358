import {
  appendFile,
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCompaction } from '#server/features/audit/heads/compact-heads.ts'
import { readReportedHeads, reportedWithdrawal } from '#server/features/audit/heads/reported-heads.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'

const keyRing = createKeyRing(Buffer.alloc(32, 8), 'EU')
const time = '2026-01-02T03:04:05.000Z'
const head = (sequence: number) => `${JSON.stringify({ time, accountId: 'shop', sequence, hash: 'h' })}\n`
const withdrawal = (id: string) =>
  `${JSON.stringify(reportedWithdrawal(keyRing, time, 'shop', { kind: 'key', id, at: 1 }))}\n`

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-compact-'))
  path = join(folder, 'heads.jsonl')
  const heads = Array.from({ length: 20_000 }, (_, i) => head(i))
  await writeFile(path, [withdrawal('first'), ...heads].join(''))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const idsIn = async () => {
  const { withdrawals } = await readReportedHeads(path, keyRing)
  return withdrawals.map(({ revoked }) => revoked.id)
}

test('processes that rewrite a file at the same time lose no concurrent revocation, and leave nothing behind', async () => {
  const compactions = Array.from({ length: 4 }, () => createCompaction(path, keyRing))
  let isBusy = true
  const told: string[] = ['first']
  const telling = (async () => {
    for (let i = 0; isBusy; i++) {
      told.push(`key ${i}`)
      await appendFile(path, withdrawal(`key ${i}`))
      await new Promise((over) => setTimeout(over, 1))
    }
  })()
  await Promise.all(compactions.map((compact) => compact()))
  isBusy = false
  await telling
  const found = await idsIn()
  expect(told.filter((id) => !found.includes(id))).toEqual([])
  expect((await readReportedHeads(path, keyRing)).heads.get('shop')?.sequence).toBe(19_999)
  expect(await readdir(folder)).toEqual(['heads.jsonl'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('the new name is on disk, like the contents', async () => {
  const handle = await open(path, 'r')
  const files = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync } = files
  const synced: string[] = []
  const spy = vi.spyOn(files, 'sync').mockImplementation(async function (this: FileHandle) {
    const inFolder = await readdir(folder)
    synced.push(`${(await this.stat()).isDirectory() ? 'folder' : 'file'} ${inFolder.length}`)
    return sync.call(this)
  })
  await createCompaction(path, keyRing)()
  spy.mockRestore()
  expect(synced).toEqual(['file 2', 'folder 1'])
})

test('a failed one leaves the file unchanged, and nothing next to it', async () => {
  const handle = await open(path, 'r')
  const files = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { size } = await stat(path)
  const spy = vi.spyOn(files, 'writeFile').mockRejectedValue(new Error('No space left on device'))
  await expect(createCompaction(path, keyRing)()).rejects.toThrow('No space')
  spy.mockRestore()
  expect((await stat(path)).size).toBe(size)
  expect(await readdir(folder)).toEqual(['heads.jsonl'])
})

test('remains of killed processes are removed once they are old', async () => {
  const old = ['heads.jsonl.next', 'heads.jsonl.0123456789ab.next', 'heads.next', 'heads.jsonl.next.mine']
  const young = 'heads.jsonl.ba9876543210.next'
  for (const name of [...old, young]) await writeFile(join(folder, name), '')
  const before = Date.now() / 1000 - 61
  for (const name of old) await utimes(join(folder, name), before, before)
  await createCompaction(path, keyRing)()
  expect(new Set(await readdir(folder))).toEqual(new Set(['heads.jsonl', ...old.slice(2), young]))
})
