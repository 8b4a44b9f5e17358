import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAuditArchives } from '#server/features/audit/archives/audit-archives.ts'
import { createFolderArchives, fileSource } from '#server/features/audit/archives/folder-archives.ts'
import { gapsBetween } from '#server/features/audit/archives/verify-archive.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Store } from '#server/platform/store/store.ts'
import { type AuditDeployment, newAuditDeployment } from '../../../../support/audit/deployment.ts'

const day = (text: string) => Date.parse(text)
const wholeMonth = 10

let at: AuditDeployment
/** Ten entries in each of three months. The first entry creates the account. */
beforeEach(async () => {
  at = await newAuditDeployment()
  for (const month of ['01', '02', '03']) {
    at.clock.now = day(`2026-${month}-10T12:00:00Z`)
    await at.add(month === '01' ? wholeMonth - 1 : wholeMonth)
    await at.log.move('all')
  }
})
afterEach(async () => {
  await at.close()
  await rm(into(), { recursive: true, force: true })
})

const archivesOf = (log = at.log, keyRing = at.keyRing) => createAuditArchives(log, keyRing)
const into = () => `${at.folder}-archives`
const archive = (before: string) =>
  archivesOf().archive(at.accountId, day(before), createFolderArchives(into()))

test('moves older entries into a file, removes them from the log, and both remain verifiable', async () => {
  const first = await archive('2026-02-01')
  expect(first).toMatchObject({ first: 1, last: 10 })
  expect((await stat(first!.file)).mode & 0o777).toBe(0o600)
  const { entries } = await archivesOf().verifyArchive(fileSource(first!.file))
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
  const proven = await Promise.all(files.map((file) => archivesOf().verifyArchive(fileSource(file))))
  expect(gapsBetween(proven)).toEqual([])
  expect(await archivesOf().cutOf(at.accountId)).toMatchObject({ sequence: 20 })
})

test('a head from before the cut, kept elsewhere, is compared if possible, and a false head of the cut is found', async () => {
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

test('nothing is cut without a sufficiently old checkpoint, or if an entry is invalid', async () => {
  expect(await archive('2025-12-01')).toBeUndefined()
  await at.log.book.segments.trim(at.accountId, 4, (frame) =>
    at.log.book.frames.part(at.accountId, frame, 0, 4),
  )
  expect(await archive('2026-03-01')).toBeUndefined()
})

test('the current month stays in place, even if its entries were archived', async () => {
  at.clock.now = day('2026-03-20T00:00:00Z')
  expect(await archive('2026-03-15')).toMatchObject({ first: 1, last: 30 })
  expect(await at.log.page(at.accountId, 100, undefined)).toEqual([])
  await at.add(1)
  await at.log.move('all')
  expect(await at.log.verify(at.accountId)).toMatchObject({ valid: true, checked: 1 })
})

test('the age of the oldest entry', async () => {
  expect(await archivesOf().oldest(at.accountId)).toBe(day('2026-01-10T12:00:00Z'))
  await archive('2026-02-01')
  expect(await archivesOf().oldest(at.accountId)).toBe(day('2026-02-10T12:00:00Z'))
  expect(await archivesOf().oldest('nobody')).toBeUndefined()
})

test.each([
  [
    'one bit of an entry was flipped',
    (bytes: Buffer) => turned(bytes, -400),
    /altered at entry|missing at entry/,
  ],
  [
    'the end was cut off',
    (bytes: Buffer) => bytes.subarray(0, -10),
    /the checkpoint at its end is missing, at entry 10/,
  ],
  ['most was cut off', (bytes: Buffer) => bytes.subarray(0, 1000), /missing at entry 1\./],
  [
    'its head was edited',
    (bytes: Buffer) => replaced(bytes, '"sequence":10', '"sequence":11'),
    /the header of .* was altered/i,
  ],
  ['it is something else', () => Buffer.from('hello'), /is not an archive/],
])('an archive is refused in words where %s', async (_name, tamper, words) => {
  const { file } = (await archive('2026-02-01'))!
  await writeFile(file, tamper(await readFile(file)))
  await expect(archivesOf().verifyArchive(fileSource(file))).rejects.toThrow(words)
})

test('an archive of another secret, a missing one, and a gap between two are reported', async () => {
  const { file } = (await archive('2026-02-01'))!
  const other = createKeyRing(Buffer.alloc(32, 9), 'EU')
  await expect(archivesOf(at.log, other).verifyArchive(fileSource(file))).rejects.toThrow('another secret')
  await expect(archivesOf().verifyArchive(fileSource(`${file}.none`))).rejects.toThrow('does not exist')
  const first = await archivesOf().verifyArchive(fileSource(file))
  await archive('2026-03-01')
  at.clock.now = day('2026-04-10T12:00:00Z')
  await at.log.move('all')
  const { file: third } = (await archive('2026-04-01'))!
  const gaps = gapsBetween([first, await archivesOf().verifyArchive(fileSource(third))])
  expect(gaps).toEqual([expect.stringContaining('one ends at entry 10, the other begins after 20')])
})

test('the checkpoint that an archive leaves behind must stay', async () => {
  await archive('2026-02-01')
  await at.log.book.segments.cut(at.accountId, 11, (frame) =>
    at.log.book.frames.part(at.accountId, frame, 11, Number.MAX_SAFE_INTEGER),
  )
  expect(await at.open().verify(at.accountId)).toMatchObject({ fault: 'missing', faultAt: 10 })
})

/** A log that stops once, as if its process had been killed at that point. */
function stopping(at: AuditDeployment, where: 'commit' | 'cut') {
  const killed = async () => {
    throw new Error('killed')
  }
  return at.open(
    where === 'commit'
      ? { behind: { ...at.store, commit: killed } }
      : { change: (segments) => ({ ...segments, cut: killed }) },
  )
}

const wholeLog = async () => {
  const { valid, checked, head } = await at.open().verify(at.accountId)
  return { valid, checked, head: head?.sequence }
}

test.each([
  ['the file and the cut', 'commit', [1, 20]],
  ['the note of the cut and the cut itself', 'cut', undefined],
] as const)('a run that was killed between %s is run again for the same day', async (_name, where, again) => {
  const before = day('2026-03-01')
  const killed = archivesOf(stopping(at, where)).archive(at.accountId, before, createFolderArchives(into()))
  await expect(killed).rejects.toThrow('killed')
  expect(await wholeLog()).toMatchObject({ valid: true, head: 30 })
  const found = await archive('2026-03-01')
  expect(found && [found.first, found.last]).toEqual(again)
  expect(await wholeLog()).toEqual({ valid: true, checked: 10, head: 30 })
  const [name, ...more] = await readdir(into())
  expect(more).toEqual([])
  expect(await archivesOf().verifyArchive(fileSource(join(into(), name!)))).toMatchObject({ entries: 20 })
  const frames = await allOf(at.log.book.segments.ascending(at.accountId, 0))
  expect(frames.filter(({ kind }) => kind === 'entries').map(({ first }) => first)).toEqual([21])
})

test('nothing is cut if a file of that name is incomplete, or has other contents', async () => {
  const killed = archivesOf(stopping(at, 'commit')).archive(
    at.accountId,
    day('2026-02-01'),
    createFolderArchives(into()),
  )
  await expect(killed).rejects.toThrow('killed')
  const [name] = await readdir(into())
  const file = join(into(), name!)
  await writeFile(file, (await readFile(file)).subarray(0, -10))
  await expect(archive('2026-02-01')).rejects.toThrow(/is not complete.* Nothing was cut/)
  const other = await newAuditDeployment()
  await other.add(wholeMonth - 1)
  await other.log.move('all')
  const theirs = await archivesOf(other.log).archive(
    other.accountId,
    day('2026-02-01'),
    createFolderArchives(`${other.folder}-of-other`),
  )
  await copyFile(theirs!.file, file)
  await other.close()
  await expect(archive('2026-02-01')).rejects.toThrow(/has other content\. Nothing was cut/)
  expect(await wholeLog()).toEqual({ valid: true, checked: 30, head: 30 })
  await rm(file)
  expect(await archive('2026-02-01')).toMatchObject({ first: 1, last: 10 })
})

/** A log with a single event that happens before its first commit. */
function interrupted(happens: () => Promise<unknown>) {
  const { commit } = at.store
  let isOver = false
  const meanwhile: Store['commit'] = async (writes, guards) => {
    if (!isOver) {
      isOver = true
      await happens()
    }
    return commit(writes, guards)
  }
  return archivesOf(at.open({ behind: { ...at.store, commit: meanwhile } }))
}

/** How many entries the files contain that form a continuous chain. */
async function provenFiles() {
  const files = (await readdir(into())).map((name) => join(into(), name))
  const proven = await Promise.all(files.map((file) => archivesOf().verifyArchive(fileSource(file))))
  expect(gapsBetween(proven)).toEqual([])
  return proven.map(({ entries }) => entries)
}

test('an archive is refused if another one that goes less far was made meanwhile', async () => {
  const slow = interrupted(() => archive('2026-02-01'))
  const refused = slow.archive(at.accountId, day('2026-03-01'), createFolderArchives(into()))
  await expect(refused).rejects.toThrow('made at the same time, up to entry 10. This one has cut nothing')
  expect(await wholeLog()).toEqual({ valid: true, checked: 20, head: 30 })
  await archive('2026-03-01')
  expect(await provenFiles()).toEqual([10, 10])
})

test.each([
  ['is not removed by the run that made it, when that one comes too late', 2],
  ['is the archive of both', 1],
])('a file that a run for a later day takes over %s', async (_name, archives) => {
  const slow = interrupted(async () => {
    for (let i = 0; i < archives; i++) await archive('2026-03-01')
  })
  const ours = slow.archive(at.accountId, day('2026-02-01'), createFolderArchives(into()))
  if (archives === 1) expect(await ours).toMatchObject({ first: 1, last: 10 })
  else await expect(ours).rejects.toThrow('made at the same time, up to entry 20. This one has cut nothing')
  await archive('2026-03-01')
  expect(await provenFiles()).toEqual([10, 10])
  expect(await wholeLog()).toEqual({ valid: true, checked: 10, head: 30 })
})

test('several concurrent runs for the same day make one archive', async () => {
  const runs = Array.from({ length: 6 }, () =>
    archivesOf(at.open()).archive(at.accountId, day('2026-03-01'), createFolderArchives(into())),
  )
  const found = await Promise.all(runs)
  expect(found[0]).toMatchObject({ first: 1, last: 20 })
  const [name, ...more] = await readdir(into())
  expect(more).toEqual([])
  expect(await archivesOf().verifyArchive(fileSource(join(into(), name!)))).toMatchObject({ entries: 20 })
  expect(await wholeLog()).toEqual({ valid: true, checked: 10, head: 30 })
})

test.each(['ascending', 'descending'] as const)(
  'entries that are cut while they are read, %s, are read from their new place',
  async (order) => {
    const entries = new Set<number>()
    let isCut = false
    for await (const { kind, first, last } of at.log.book.segments[order](
      at.accountId,
      order === 'ascending' ? 0 : 30,
    )) {
      if (!isCut) await archive('2026-03-01')
      isCut = true
      if (kind === 'entries') for (let at = first; at <= last; at++) entries.add(at)
    }
    for (let at = 21; at <= 30; at++) expect(entries).toContain(at)
  },
)

test('remains of a run that was killed while writing are removed once they are old', async () => {
  await mkdir(into(), { recursive: true })
  const [old, fresh, another] = [
    'shop-1.audit.0123456789ab.part',
    'shop-1.audit.ba9876543210.part',
    'notes.part',
  ]
  for (const name of [old!, fresh!, another!]) await writeFile(join(into(), name), '')
  await utimes(join(into(), old!), 0, 0)
  await utimes(join(into(), another!), 0, 0)
  await archive('2026-02-01')
  const left = await readdir(into())
  expect(left.filter((name) => name.endsWith('.part')).sort()).toEqual([another, fresh])
})

function turned(bytes: Buffer, where: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length + where]! ^= 1
  return copy
}

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
}
