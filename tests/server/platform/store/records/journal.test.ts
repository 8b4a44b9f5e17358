import { execFile } from 'node:child_process'
import { appendFile, type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { createJournal, readJournal, verifyJournal } from '#server/platform/store/records/journal.ts'
import { journalFile } from '#server/platform/store/records/journal-file.ts'
import { findLineNumber, readLastLine } from '#server/platform/store/records/journal-place.ts'
import { putOf, removalOf } from '#server/platform/store/store.ts'

const folder = await mkdtemp(join(tmpdir(), 'selfsame-journal-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyRing = createKeyRing(Buffer.alloc(32, 5), 'EU')
const record = (value: object) => Buffer.from(JSON.stringify({ schema: 1, value }))
const sealed = ({ key }: { key: string }) => Buffer.from(`sealed ${key}`)

let path: string
let files = 0
beforeEach(async () => {
  path = join(folder, `journal-${files++}`)
  const journal = createJournal([journalFile(path)], keyRing, () => 1000 + files)
  await journal.note([removalOf('face/a'), putOf('face/b', Buffer.of(1))], sealed)
  await journal.note([putOf('api-key/a', record({ revoked: null }))], sealed)
  await journal.note([putOf('api-key/b', record({ revoked: '2026-01-01' }))], sealed)
  await journal.note([putOf('kiosk/a', record({ revoked: 5 }))], sealed)
  await journal.note([putOf('account/a', record({ name: 'Shop' }))], sealed)
  await journal.note([putOf('operator-team/a', record({ members: [] }))], sealed)
  await journal.note([putOf('webhook-endpoint/a', record({}))], sealed)
  await journal.note([putOf('operator/a', record({ name: 'Ada' }))], sealed)
  await journal.note([removalOf('pending-delivery/a')], sealed)
  await journal.note(
    [
      { kind: 'add', key: 'session-count/a', more: 1 },
      { kind: 'append', key: 'session-change/a', value: Buffer.of(1) },
    ],
    sealed,
  )
})

const keysFrom = async (from: number, ring = keyRing) =>
  (await allOf(readJournal(journalFile(path), ring, from))).map(({ key, value }) => [
    key,
    value && String(value),
  ])

const all = [
  ['face/a', undefined],
  ['api-key/b', 'sealed api-key/b'],
  ['kiosk/a', 'sealed kiosk/a'],
  ['account/a', 'sealed account/a'],
  ['operator-team/a', 'sealed operator-team/a'],
  ['webhook-endpoint/a', 'sealed webhook-endpoint/a'],
]

test('records removals and revocations, sealed, and nothing else', async () => {
  expect(await keysFrom(0)).toEqual(all)
  expect((await readFile(path, 'utf8')).includes('Shop')).toBe(false)
})

test('is read from a given time on', async () => {
  expect(await keysFrom(1000 + files)).toEqual(all)
  expect(await keysFrom(1001 + files)).toEqual([])
})

test('ignores a truncated last line', async () => {
  await appendFile(path, '[1,"face/c"')
  expect(await keysFrom(0)).toEqual(all)
})

/** The start of a line, as a process leaves it if it is killed while writing. */
const torn = '[1,"face/c",nu'
const noteMore = (...keys: string[]) =>
  createJournal([journalFile(path)], keyRing, () => 1000 + files).note(keys.map(removalOf), sealed)
const more = (...keys: string[]) => keys.map((key) => [key, undefined])

test('a torn line with later lines after it is skipped, and nothing else', async () => {
  await appendFile(path, torn)
  await noteMore('face/d', 'face/e')
  await noteMore('face/f')
  expect(await keysFrom(0)).toEqual([...all, ...more('face/d', 'face/e', 'face/f')])
})

test.each([1, 3, 40, 118, 119, 150])(
  'a mark that was torn itself after %i bytes is skipped with what it marks',
  async (left) => {
    await appendFile(path, torn)
    const before = (await readFile(path)).length
    await noteMore('face/d')
    const bytes = await readFile(path)
    await writeFile(path, bytes.subarray(0, Math.min(before + left, bytes.length - 1)))
    await noteMore('face/e')
    const kept = (await keysFrom(0)).slice(all.length)
    expect(kept.at(-1)).toEqual(['face/e', undefined])
    expect((await keysFrom(0)).slice(0, all.length)).toEqual(all)
  },
)

test('bytes that are not text count as torn, and a line that only lacks its end is complete', async () => {
  await appendFile(path, Buffer.from([0, 255, 0xe2, 0x80]))
  await noteMore('face/d')
  await writeFile(path, (await readFile(path)).subarray(0, -1))
  expect(await keysFrom(0)).toEqual([...all, ...more('face/d')])
  await noteMore('face/e')
  expect(await keysFrom(0)).toEqual([...all, ...more('face/d', 'face/e')])
})

test.each([
  ['a torn line that was altered afterwards', (text: string) => text.replace('face/c', 'face/x'), 7],
  ['a line before it', (text: string) => text.replace('kiosk/a', 'kiosk/x'), 3],
  ['the line behind it', (text: string) => text.replace('face/d', 'face/x'), 8],
  ['the last line, which has its end', (text: string) => text.replace('face/f', 'face/x'), 9],
])('a mark covers only the line that was torn: %s is refused', async (_name, change, line) => {
  await appendFile(path, torn)
  await noteMore('face/d')
  await noteMore('face/f')
  expect(await keysFrom(0)).toEqual([...all, ...more('face/d', 'face/f')])
  await writeFile(path, change(await readFile(path, 'utf8')))
  await expect(keysFrom(0)).rejects.toThrow(`altered at line ${line}`)
})

test('many concurrent writers to a torn file lose nothing', async () => {
  await appendFile(path, torn)
  const keys = Array.from({ length: 200 }, (_, i) => `face/${i}`)
  await Promise.all(keys.map((key) => noteMore(key)))
  const found = (await keysFrom(0)).map(([key]) => key)
  expect(new Set(found)).toEqual(new Set([...all.map(([key]) => key), ...keys]))
})

test('a line that was appended to one torn a moment before is written again', async () => {
  const handle = await open(path, 'a')
  const files = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { write } = files
  const spy = vi.spyOn(files, 'write').mockImplementationOnce(async function (
    this: FileHandle,
    bytes: Buffer,
  ) {
    await appendFile(path, torn)
    return (write as (bytes: Buffer) => Promise<unknown>).call(this, bytes)
  } as never)
  await noteMore('face/d', 'face/e')
  spy.mockRestore()
  expect(await readFile(path, 'utf8')).toContain(`${torn}[`)
  const found = (await keysFrom(0)).slice(all.length).map(([key]) => key)
  expect(found).toEqual(['face/e', 'face/d', 'face/e'])
})

test('if the disk is full the call fails, and later lines are readable', async () => {
  const program = 'tests/support/stores/full-journal.process.ts'
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, path])
  expect(JSON.parse(stdout)).toEqual({
    refused: 'The journal cannot be written because its disk is full.',
    again: expect.stringContaining('EFBIG'),
    read: all.length + 1,
    last: 'face/there-is-room',
  })
})

test.each([
  ['altered', (text: string) => text.replace('face/a', 'face/x')],
  ['torn in the midst', (text: string) => text.replace('\n', '')],
])('is not read if a line was %s', async (_name, change) => {
  await writeFile(path, change(await readFile(path, 'utf8')))
  await expect(keysFrom(0)).rejects.toThrow('altered at line 1')
})

test('an entry that an older version joined to a torn line is reported with its position and length, and the rest is readable without it', async () => {
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, lines.with(1, `${torn}${lines[1]}`).join('\n'))
  await expect(keysFrom(0)).rejects.toThrow(
    'altered at line 2, or belongs to another deployment. Its first 14 bytes',
  )
  await writeFile(path, lines.join('\n'))
  expect(await keysFrom(0)).toEqual(all)
})

test('of two complete entries in one line neither is reported as truncated', async () => {
  const [first = '', ...others] = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, first + others.join('\n'))
  await expect(keysFrom(0)).rejects.toThrow(`insert a line break after its first ${first.length} bytes`)
})

test('a line that ends in no complete entry gets no further explanation', async () => {
  await writeFile(path, (await readFile(path, 'utf8')).replace('kiosk/a', 'kiosk/x'))
  await expect(keysFrom(0)).rejects.toThrow(/altered at line 3, or belongs to another deployment\.$/)
})

test('is not read by another deployment', async () => {
  await expect(keysFrom(0, createKeyRing(Buffer.alloc(32, 6), 'EU'))).rejects.toThrow('another deployment')
})

/** As 0.2.0 wrote them: additions to a count have no value, just like removals, and short-lived records are listed too. */
const linesOf020 = `[1795000000000,"session-count/7d0c/hour/001795000000000/-/states/opened",null] 2HR1J2bgO2RkwAfnsrMBO5X4NAkFo-68ExDh5qDXqiM
[1795000000000,"session-class/7d0c/a",null] UVLihwPCc-nTBnhgUZcndydWBNyWrW_Lvxmfj5cNdOc
[1795000000000,"face/a",null] eYDZnwW18ylLFlnaaaWOIy8xr6VTD2FcW4UAtWtZJ3I
[1795000000000,"request-log/a",null] q_BFU_MHZN7dPiXD_V__XR6V5E-BiZYRnD6g9zuMpjU
[1795000000000,"operator-invitation/a","c2VhbGVk"] Axe97v63EYOm-KkRueDsSIB2G0nyzk2VswM2W4gLoo4
[1795000000000,"kiosk/a","c2VhbGVk"] gxEsFb_Aj8tYZ-EJ1DMm2gNE6tEAAQQVqt04GpmaqEc
`

test('of a journal of 0.2.0 only erasures and revocations are repeated, and it counts as complete', async () => {
  await writeFile(path, linesOf020)
  await verifyJournal(journalFile(path), keyRing)
  expect(await keysFrom(0)).toEqual([
    ['face/a', undefined],
    ['kiosk/a', 'sealed'],
  ])
  await writeFile(path, linesOf020.replace('states/opened', 'states/opener'))
  await expect(verifyJournal(journalFile(path), keyRing)).rejects.toThrow('altered at line 1')
})

test('after a given line only the following ones are repeated', async () => {
  const before = await readLastLine(journalFile(path))
  await noteMore('face/d')
  const afterLine = await findLineNumber(journalFile(path), before)
  const found = await allOf(readJournal(journalFile(path), keyRing, 0, afterLine))
  expect(found.map(({ key }) => key)).toEqual(['face/d'])
  expect(await findLineNumber(journalFile(path), 'no digest of a line')).toBe(0)
  expect(await readLastLine(journalFile(join(folder, 'no-journal')))).toBeUndefined()
})
