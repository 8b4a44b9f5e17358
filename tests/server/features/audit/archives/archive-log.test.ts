import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAuditArchives } from '#server/features/audit/archives/audit-archives.ts'
import { gapsBetween } from '#server/features/audit/archives/verify-archive.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { type AuditDeployment, newAuditDeployment } from '../../../../support/audit/deployment.ts'

const day = (text: string) => Date.parse(text)
const wholeMonth = 10

let at: AuditDeployment
/** Ten entries in each of three months, the first of which makes the account. */
beforeEach(async () => {
  at = await newAuditDeployment()
  for (const month of ['01', '02', '03']) {
    at.clock.now = day(`2026-${month}-10T12:00:00Z`)
    await at.add(month === '01' ? wholeMonth - 1 : wholeMonth)
    await at.log.move('all')
  }
})
afterEach(() => at.close())

const archivesOf = (log = at.log, keyRing = at.keyRing) => createAuditArchives(log, keyRing)
const into = () => join(at.folder, '..', `${at.folder}-archives`)
const archive = (before: string) => archivesOf().archive(at.accountId, day(before), into())

test('what is older goes into a file, is gone from the log, and both are still proven', async () => {
  const first = await archive('2026-02-01')
  expect(first).toMatchObject({ first: 1, last: 10 })
  expect((await stat(first!.file)).mode & 0o777).toBe(0o600)
  const { entries } = await archivesOf().verifyFile(first!.file)
  expect(entries).toBe(10)
  expect(await at.log.verify(at.accountId)).toMatchObject({
    valid: true,
    checked: 20,
    head: { sequence: 30 },
  })
  const page = await at.log.page(at.accountId, 100, undefined)
  expect(page.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, i) => 30 - i))
  expect(await at.log.page(at.accountId, 100, 11)).toEqual([])

  await at.add(5)
  await at.log.move('all')
  const second = await archive('2026-03-01')
  expect(second).toMatchObject({ first: 11, last: 20 })
  expect(await archive('2026-03-01')).toBeUndefined()
  const reopened = at.open()
  expect(await reopened.verify(at.accountId)).toMatchObject({ valid: true, checked: 15 })
  expect(await reopened.verifyRecent(at.accountId)).toMatchObject({ valid: true, head: { sequence: 35 } })
  const files = [second!.file, first!.file]
  const proven = await Promise.all(files.map((file) => archivesOf().verifyFile(file)))
  expect(gapsBetween(proven)).toEqual([])
  expect(await archivesOf().cutOf(at.accountId)).toMatchObject({ sequence: 20 })
})

test('a head from before the cut, kept elsewhere, is compared where it can be, and a false one of the cut is found', async () => {
  const [tenth] = await at.log.page(at.accountId, 1, 11)
  await archive('2026-02-01')
  for (const verify of [at.log.verify, at.log.verifyRecent]) {
    expect(await verify(at.accountId, tenth)).toMatchObject({ valid: true })
    expect(await verify(at.accountId, { sequence: 5, hash: 'unknown' })).toMatchObject({ valid: true })
  }
  const forged = { sequence: 10, hash: 'another' }
  expect(await at.log.verifyRecent(at.accountId, forged)).toMatchObject({ fault: 'rewritten', faultAt: 10 })
  expect(await at.log.verify(at.accountId, forged)).toMatchObject({ fault: 'rewritten', faultAt: 10 })
})

test('nothing is cut where there is no checkpoint as old, or an entry is not whole', async () => {
  expect(await archive('2025-12-01')).toBeUndefined()
  await at.log.book.segments.trim(at.accountId, 4, (frame) =>
    at.log.book.frames.part(at.accountId, frame, 0, 4),
  )
  expect(await archive('2026-03-01')).toBeUndefined()
})

test('the month that is under way stays where it is, though its entries were archived', async () => {
  at.clock.now = day('2026-03-20T00:00:00Z')
  expect(await archive('2026-03-15')).toMatchObject({ first: 1, last: 30 })
  expect(await at.log.page(at.accountId, 100, undefined)).toEqual([])
  await at.add(1)
  await at.log.move('all')
  expect(await at.log.verify(at.accountId)).toMatchObject({ valid: true, checked: 1 })
})

test('how old the oldest entry is', async () => {
  expect(await archivesOf().oldest(at.accountId)).toBe(day('2026-01-10T12:00:00Z'))
  await archive('2026-02-01')
  expect(await archivesOf().oldest(at.accountId)).toBe(day('2026-02-10T12:00:00Z'))
  expect(await archivesOf().oldest('nobody')).toBeUndefined()
})

test.each([
  [
    'a bit of an entry was turned',
    (bytes: Buffer) => turned(bytes, -400),
    /altered at entry|missing at entry/,
  ],
  [
    'the end was cut off',
    (bytes: Buffer) => bytes.subarray(0, -10),
    /the checkpoint at its end is gone, at entry 10/,
  ],
  ['most was cut off', (bytes: Buffer) => bytes.subarray(0, 1000), /missing at entry 1\./],
  [
    'its head was edited',
    (bytes: Buffer) => replaced(bytes, '"sequence":10', '"sequence":11'),
    /what .* says of itself was altered/i,
  ],
  ['it is something else', () => Buffer.from('hello'), /is no archive/],
])('an archive is refused in words where %s', async (_name, tamper, words) => {
  const { file } = (await archive('2026-02-01'))!
  await writeFile(file, tamper(await readFile(file)))
  await expect(archivesOf().verifyFile(file)).rejects.toThrow(words)
})

test('an archive of another secret, one that is missing, and a gap between two are told', async () => {
  const { file } = (await archive('2026-02-01'))!
  const other = createKeyRing(Buffer.alloc(32, 9), 'EU')
  await expect(archivesOf(at.log, other).verifyFile(file)).rejects.toThrow('another secret')
  await expect(archivesOf().verifyFile(`${file}.none`)).rejects.toThrow('There is no file')
  const first = await archivesOf().verifyFile(file)
  await archive('2026-03-01')
  at.clock.now = day('2026-04-10T12:00:00Z')
  await at.log.move('all')
  const { file: third } = (await archive('2026-04-01'))!
  const gaps = gapsBetween([first, await archivesOf().verifyFile(third)])
  expect(gaps).toEqual([expect.stringContaining('one ends at entry 10, the other begins behind 20')])
})

test('the checkpoint that an archive leaves behind must stay', async () => {
  await archive('2026-02-01')
  await at.log.book.segments.cut(at.accountId, 11, (frame) =>
    at.log.book.frames.part(at.accountId, frame, 11, Number.MAX_SAFE_INTEGER),
  )
  expect(await at.open().verify(at.accountId)).toMatchObject({ fault: 'missing', faultAt: 10 })
})

function turned(bytes: Buffer, where: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length + where]! ^= 1
  return copy
}

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
}
