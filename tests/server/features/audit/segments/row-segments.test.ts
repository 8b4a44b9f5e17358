import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuditArchives } from '#server/features/audit/archives/audit-archives.ts'
import { createFolderArchives } from '#server/features/audit/archives/folder-archives.ts'
import { createRowArchives } from '#server/features/audit/archives/row-archives.ts'
import { gapsBetween } from '#server/features/audit/archives/verify-archive.ts'
import { copySegments, holdsFrames } from '#server/features/audit/segments/copy-segments.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { joinSegments } from '#server/features/audit/segments/joined-segments.ts'
import { isOpenToServers } from '#server/features/audit/segments/row-rights.ts'
import { createRowSegments } from '#server/features/audit/segments/row-segments.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { type OpenedRows, openPostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'
import { type AuditDeployment, newAuditDeployment } from '../../../../support/audit/deployment.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../../support/programs/postgres-server.ts'

const accountId = 'shop'
const day = (text: string) => Date.parse(text)
const frame = (
  kind: Frame['kind'],
  first: number,
  last: number,
  content = `${kind} ${first}-${last}`,
): Frame => ({
  ...{ kind, first, last, time: 1_768_000_000_123, content: Buffer.from(content) },
})
const placesOf = (frames: readonly Frame[]) =>
  frames.map(({ kind, first, last }) => `${kind} ${first}-${last}`)

describe.skipIf(!hasPostgresServer)(`segments in rows${needsPostgresServer}`, () => {
  let server: PostgresServer
  let rows: OpenedRows
  let tags = 0
  const schema = () => `selfsame_t${tags}`
  const open = (role = 'selfsame') =>
    openPostgresRows(server.address.replace('selfsame@', `${role}@`), {
      ...{ tag: `t${tags}`, namedBy: 'STORE', onFailure: () => undefined },
    })
  beforeAll(async () => {
    server = await startPostgresServer()
    await server.sql('CREATE ROLE runtime LOGIN')
    await server.sql('ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO runtime')
    await server.sql('ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO runtime')
  })
  beforeEach(async () => {
    await rows?.close()
    tags++
    rows = await open()
  })
  afterAll(async () => {
    await rows?.close()
    await server?.stop()
  })

  test('are read back unchanged, in order both ways, over pages limited by bytes', async () => {
    const segments = createRowSegments(rows)
    const large = 'x'.repeat(400_000)
    const many = Array.from({ length: 700 }, (_, i) =>
      frame('entries', i + 1, i + 1, i % 100 === 0 ? `${i}${large}` : `${i}`),
    )
    await segments.append(accountId, [...many, frame('checkpoint', 700, 700), frame('entries', 701, 705)])
    await segments.append('another', [frame('entries', 1, 1)])
    await segments.append(accountId, [...many.slice(0, 3)])
    const ascending = await allOf(segments.ascending(accountId, -1))
    expect(placesOf(ascending)).toEqual([...placesOf(many), 'checkpoint 700-700', 'entries 701-705'])
    expect(ascending[0]).toMatchObject({ kind: 'entries', first: 1, last: 1, time: 1_768_000_000_123 })
    expect(Buffer.from(ascending[100]!.content).equals(Buffer.from(many[100]!.content))).toBe(true)
    const descending = await allOf(segments.descending(accountId, Number.MAX_SAFE_INTEGER))
    expect(placesOf(descending)).toEqual(placesOf(ascending).reverse())
    expect(placesOf(await allOf(segments.ascending(accountId, 699)))).toEqual([
      'entries 700-700',
      'checkpoint 700-700',
      'entries 701-705',
    ])
    expect(placesOf(await allOf(segments.descending(accountId, 2)))).toEqual(['entries 2-2', 'entries 1-1'])
    expect(await segments.oldest(accountId)).toMatchObject({ first: 1 })
    expect(await segments.oldest('nobody')).toBeUndefined()
    expect(await segments.accounts()).toEqual(['another', accountId])
    expect([
      await holdsFrames(segments),
      await holdsFrames(createFolderSegments('/nowhere', Date.now)),
    ]).toEqual([true, false])
  })

  test('are cut and trimmed, and keep a frame that cannot be split', async () => {
    const segments = createRowSegments(rows)
    await segments.append(accountId, [
      ...[
        frame('entries', 1, 4),
        frame('checkpoint', 4, 4),
        frame('entries', 5, 9),
        frame('checkpoint', 9, 9),
      ],
      frame('entries', 10, 14),
    ])
    const split = ({ first, last }: Frame) => frame('entries', Math.max(first, 7), Math.min(last, 12), 'part')
    const places = async () => placesOf(await allOf(segments.ascending(accountId, -1)))
    await segments.cut(accountId, 4, split)
    expect(await places()).toEqual(['checkpoint 4-4', 'entries 5-9', 'checkpoint 9-9', 'entries 10-14'])
    await segments.cut(accountId, 6, (altered) => altered)
    expect(await places()).toEqual(['entries 5-9', 'checkpoint 9-9', 'entries 10-14'])
    await segments.cut(accountId, 6, split)
    await segments.trim(accountId, 12, split)
    expect(await places()).toEqual(['entries 7-9', 'checkpoint 9-9', 'entries 10-12'])
    await segments.trim(accountId, 0, () => undefined)
    expect(await segments.accounts()).toEqual([])
  })

  /** Three months with ten entries each. */
  async function threeMonths(): Promise<AuditDeployment> {
    const at = await newAuditDeployment(createRowSegments(rows))
    for (const month of ['01', '02', '03']) {
      at.clock.now = day(`2026-${month}-10T12:00:00Z`)
      await at.add(month === '01' ? 9 : 10)
      await at.log.move('all')
    }
    return at
  }

  test.each([
    [
      'altered',
      (table: string) =>
        `UPDATE ${table} SET content = set_byte(content, 40, get_byte(content, 40) # 1) WHERE first = 11 AND kind = 'entries'`,
      'altered',
      11,
    ],
    ['removed', (table: string) => `DELETE FROM ${table} WHERE first = 11`, 'missing', 11],
    ['removed at the end', (table: string) => `DELETE FROM ${table} WHERE first >= 21`, 'missing', 21],
    [
      'swapped with another',
      (table: string) =>
        `UPDATE ${table} SET first = 22 - first, last = 40 - last WHERE kind = 'entries' AND first IN (1, 21)`,
      'altered',
      1,
    ],
    [
      'given to another account',
      (table: string) => `UPDATE ${table} SET account = 'another' WHERE first = 1`,
      'missing',
      1,
    ],
  ])('report a row that was %s', async (_name, sql, fault, faultAt) => {
    const at = await threeMonths()
    expect(await at.open().verify(accountId)).toMatchObject({ valid: true, checked: 30 })
    await server.sql(sql(`${schema()}.audit_frames`))
    expect(await at.open().verify(accountId)).toMatchObject({ valid: false, fault, faultAt })
    await at.close()
  })

  test('are added and read by the role of the servers, and removed by the owner only', async () => {
    const at = await threeMonths()
    const asRuntime = await open('runtime')
    const [earlierEnd] = await allOf(at.store.list('audit-head/'))
    const log = at.open({ change: () => createRowSegments(asRuntime) })
    await log.append(accountId, {
      operation: 'more',
      actor: { kind: 'server', keyId: null, tokenId: null },
      resources: {},
      outcome: 'succeeded',
    })
    await log.move('all')
    expect(await log.verify(accountId)).toMatchObject({ valid: true, checked: 31 })
    // If an attacker restores an older end, it does not hide the rows after it.
    const [end] = await allOf(at.store.list('audit-head/'))
    await at.store.put(earlierEnd!.key, earlierEnd!.value)
    expect(await log.verify(accountId)).toMatchObject({ fault: 'headAltered', faultAt: 31 })
    await at.store.put(end!.key, end!.value)
    for (const table of ['audit_frames', 'audit_archives', 'journal'])
      for (const sql of [
        `DELETE FROM ${schema()}.${table}`,
        `TRUNCATE ${schema()}.${table}`,
        `UPDATE ${schema()}.${table} SET ${table === 'journal' ? "line = ''" : table === 'audit_archives' ? "bytes = ''" : 'time = 0'}`,
      ])
        await expect(asRuntime.pool.rawQuery({ name: sql, text: sql })).rejects.toThrow(
          `permission denied for table ${table}`,
        )

    const archives = createRowArchives(asRuntime)
    await expect(
      createAuditArchives(log, at.keyRing).archive(accountId, day('2026-03-01'), archives),
    ).rejects.toThrow(
      'The role runtime may not remove audit rows. Run this with the STORE of the role that owns the tables.',
    )
    expect(await archives.names()).toEqual([])
    const cut = await createAuditArchives(at.log, at.keyRing).archive(
      accountId,
      day('2026-03-01'),
      createRowArchives(rows),
    )
    expect(cut).toMatchObject({ first: 1, last: 20 })
    expect(await log.verify(accountId)).toMatchObject({ valid: true, checked: 11 })
    expect([await isOpenToServers(asRuntime), await isOpenToServers(rows)]).toEqual([false, false])
    await server.sql(`GRANT UPDATE ON ${schema()}.audit_frames TO runtime`)
    expect(await isOpenToServers(asRuntime)).toBe(true)
    await asRuntime.close()
    await at.close()
  })

  test('are archived into rows, completely or not at all, and each archive continues the one before', async () => {
    const at = await threeMonths()
    const place = createRowArchives(rows)
    const archives = createAuditArchives(at.log, at.keyRing)
    await expect(
      place.put(
        'torn.audit',
        (async function* () {
          yield Buffer.from('the beginning')
          throw new Error('killed')
        })(),
        async () => undefined,
      ),
    ).rejects.toThrow('killed')
    await expect(place.put('unproven.audit', copyOf('Selfsame'), archives.verifyArchive)).rejects.toThrow(
      'is not an archive',
    )
    expect(await place.names()).toEqual([])

    await archives.archive(accountId, day('2026-02-01'), place)
    at.clock.now = day('2026-03-20T00:00:00Z')
    // This also removes rows from the current month.
    expect(await archives.archive(accountId, day('2026-03-15'), place)).toMatchObject({ first: 11, last: 30 })
    const names = await place.names()
    const proven = []
    for (const name of names) proven.push(await archives.verifyArchive(place.source(name)))
    expect(proven.map(({ entries }) => entries)).toEqual([10, 20])
    expect(gapsBetween(proven)).toEqual([])
    expect(await at.open().verify(accountId)).toMatchObject({
      valid: true,
      checked: 0,
      head: { sequence: 30 },
    })
    await expect(place.put(names[0]!, copyOf('x'), async () => undefined)).rejects.toThrow(
      'was made at the same time',
    )
    await server.sql(
      `UPDATE ${schema()}.audit_archives SET bytes = set_byte(bytes, 900, get_byte(bytes, 900) # 1) WHERE name = '${names[1]}'`,
    )
    await expect(archives.verifyArchive(place.source(names[1]!))).rejects.toThrow('is not complete')
    await expect(archives.verifyArchive(place.source('none'))).rejects.toThrow(
      'The archive none is not in the database',
    )
    await at.close()
  })

  test('and a folder are one log while a deployment moves, and the rows are the whole log afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'selfsame-joined-'))
    const [own, earlier] = [createRowSegments(rows), createFolderSegments(folder, Date.now)]
    const at = await newAuditDeployment(earlier)
    await at.add(5)
    await at.log.move('all')
    const joined = joinSegments(own, earlier)
    const log = at.open({ change: () => joined })
    await at.add(5)
    await log.move('all')
    // A process running the previous version still adds to the folder.
    await at.add(5)
    await at.log.move('all')
    await at.add(5)
    await log.move('all')
    for (const verify of [log.verify, log.verifyRecent])
      expect(await verify(accountId)).toMatchObject({ valid: true, head: { sequence: 21 } })
    const page = await log.page(accountId, 100, undefined)
    expect(page.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, i) => 21 - i))
    expect(await at.open({ change: () => own }).verify(accountId)).toMatchObject({
      fault: 'missing',
      faultAt: 1,
    })
    const before = await allOf(own.ascending(accountId, -1))
    for (const _twice of [1, 2]) await copySegments(earlier, own)
    expect((await allOf(own.ascending(accountId, -1))).length).toBe(
      before.length + (await allOf(earlier.ascending(accountId, -1))).length,
    )
    for (const segments of [own, joined])
      expect(await at.open({ change: () => segments }).verify(accountId)).toMatchObject({
        valid: true,
        checked: 21,
      })
    const archives = createAuditArchives(at.open({ change: () => joined }), at.keyRing)
    const into = createFolderArchives(join(folder, 'archives'))
    expect(await archives.archive(accountId, day('2027-01-01'), into)).toMatchObject({ first: 1, last: 21 })
    await rm(folder, { recursive: true, force: true })
    await at.close()
  })
})

async function* copyOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
