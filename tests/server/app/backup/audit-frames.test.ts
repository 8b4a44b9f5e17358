import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withAudit } from '#server/app/backup/audit-frames.ts'
import { writeBackup } from '#server/app/backup/backup-file.ts'
import { restoreBackup } from '#server/app/backup/restore-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import { createAuditArchives } from '#server/features/audit/archives/audit-archives.ts'
import { createFolderArchives } from '#server/features/audit/archives/folder-archives.ts'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { leastReader, storeFormat } from '#server/platform/store/store-stamp.ts'
import { eventOf } from '../../../support/audit/deployment.ts'
import { rememberPassphrases } from '../../../support/sealed-files/remembered-passphrases.ts'

rememberPassphrases()
const accountId = 'shop'
const passphrase = 'a passphrase of some length'
const months = ['01', '02', '03']
const entriesEachMonth = 4

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-frames-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const settingsOf = (name: string) => readSettings({ DATA_DIR: join(folder, name), SECRET: 's'.repeat(40) })

/** A deployment that has one account's log, with a clock that the test sets. */
async function open(name: string, clock: { now: number }) {
  const settings = settingsOf(name)
  const { store: behind } = await openStore(settings, () => undefined)
  const { keyRing, store } = await openKeyRing(behind, settings)
  const now = () => clock.now
  const segments = createFolderSegments(settings.upkeep.auditDir, now)
  const log = createAuditLog({ store, keyRing, segments, now })
  return { behind, keyRing, store, segments, log, close: behind.close }
}

/** Backs up a deployment while entries that are older than a day are archived, before the segments are read. */
async function backUpWhileArchived(path: string, before: string, lastMoves: boolean): Promise<void> {
  const clock = { now: 0 }
  const { behind, keyRing, store, segments, log, close } = await open('from', clock)
  for (const month of months) {
    clock.now = Date.parse(`2026-${month}-10T12:00:00Z`)
    const { operation: _first, ...made } = eventOf('')
    if (month === months[0]) await store.commit(log.begin(accountId, made), [])
    const isFirst = month === months[0] ? 1 : 0
    for (let i = isFirst; i < entriesEachMonth; i++) await log.append(accountId, eventOf(`${month} ${i}`))
    if (month !== months.at(-1) || lastMoves) await log.move('all')
  }
  const atOnce = await allOf(behind.list(''))
  const archives = createAuditArchives(log, keyRing)
  const into = createFolderArchives(join(folder, 'archives'))
  async function* entries() {
    yield* atOnce
    await log.move('all')
    clock.now = Date.parse('2026-05-10T12:00:00Z')
    expect(await archives.archive(accountId, Date.parse(before), into)).toBeDefined()
  }
  const place = { kind: 'files', segments, archives: into, journalRows: undefined } as const
  const head = { backup: 1, program: productVersion, format: storeFormat, leastReader, region: 'EU' } as const
  const all = withAudit(entries(), place, behind)
  await writeBackup(path, passphrase, head, all, () => clock.now)
  await close()
}

test.each([
  ['had moved', '2026-03-01', true, 4],
  ['had moved, to the end', '2026-04-01', true, 0],
  ['waited in the backup', '2026-04-01', false, 0],
])(
  'a backup during which what %s was archived restores into a complete log',
  async (_name, before, lastMoves, left) => {
    const path = join(folder, 'backup')
    await backUpWhileArchived(path, before, lastMoves)
    await restoreBackup(settingsOf('to'), path, passphrase, undefined)
    const { log, close } = await open('to', { now: Date.now() })
    expect(await log.verify(accountId)).toMatchObject({ valid: true, fault: null, checked: left })
    await log.append(accountId, eventOf('after'))
    await log.move('all')
    expect(await log.verify(accountId)).toMatchObject({ valid: true, head: { sequence: 13 } })
    await close()
  },
)
