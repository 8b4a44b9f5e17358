import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { createJournal, readJournal } from '#server/platform/store/records/journal.ts'

const folder = await mkdtemp(join(tmpdir(), 'selfsame-journal-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyRing = createKeyRing(Buffer.alloc(32, 5), 'EU')
const record = (value: object) => Buffer.from(JSON.stringify({ schema: 1, value }))
const sealed = ({ key }: { key: string }) => Buffer.from(`sealed ${key}`)

let path: string
let files = 0
beforeEach(async () => {
  path = join(folder, `journal-${files++}`)
  const journal = createJournal(path, keyRing, () => 1000 + files)
  await journal.note(
    [
      { key: 'face/a', value: undefined },
      { key: 'face/b', value: Buffer.of(1) },
    ],
    sealed,
  )
  await journal.note([{ key: 'api-key/a', value: record({ revoked: null }) }], sealed)
  await journal.note([{ key: 'api-key/b', value: record({ revoked: '2026-01-01' }) }], sealed)
  await journal.note([{ key: 'kiosk/a', value: record({ revoked: 5 }) }], sealed)
  await journal.note([{ key: 'account/a', value: record({ name: 'Shop' }) }], sealed)
  await journal.note([{ key: 'operator-team/a', value: record({ members: [] }) }], sealed)
  await journal.note([{ key: 'operator-invitation/a', value: record({ isUsed: true }) }], sealed)
  await journal.note([{ key: 'operator/a', value: record({ name: 'Ada' }) }], sealed)
  await journal.note([{ key: 'pending-delivery/a', value: undefined }], sealed)
})

const keysFrom = async (from: number, ring = keyRing) =>
  (await allOf(readJournal(path, ring, from))).map(({ key, value }) => [key, value && String(value)])

const all = [
  ['face/a', undefined],
  ['api-key/b', 'sealed api-key/b'],
  ['kiosk/a', 'sealed kiosk/a'],
  ['account/a', 'sealed account/a'],
  ['operator-team/a', 'sealed operator-team/a'],
  ['operator-invitation/a', 'sealed operator-invitation/a'],
]

test('notes removals and what withdraws a right, sealed, and nothing else', async () => {
  expect(await keysFrom(0)).toEqual(all)
  expect((await readFile(path, 'utf8')).includes('Shop')).toBe(false)
})

test('is read from a time on', async () => {
  expect(await keysFrom(1000 + files)).toEqual(all)
  expect(await keysFrom(1001 + files)).toEqual([])
})

test('leaves out a last line that was cut short', async () => {
  await appendFile(path, '[1,"face/c"')
  expect(await keysFrom(0)).toEqual(all)
})

test.each([
  ['altered', (text: string) => text.replace('face/a', 'face/x')],
  ['torn in the midst', (text: string) => text.replace('\n', '')],
])('is not read where a line was %s', async (_name, change) => {
  await writeFile(path, change(await readFile(path, 'utf8')))
  await expect(keysFrom(0)).rejects.toThrow('altered at line 1')
})

test('is not read by another deployment', async () => {
  await expect(keysFrom(0, createKeyRing(Buffer.alloc(32, 6), 'EU'))).rejects.toThrow('another deployment')
})
