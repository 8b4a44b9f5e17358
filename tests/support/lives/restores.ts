import { openAuditPlace } from '#server/app/audit-place.ts'
import { withAudit } from '#server/app/backup/audit-frames.ts'
import { writeBackup } from '#server/app/backup/backup-file.ts'
import { createBackup } from '#server/app/backup/create-backup.ts'
import { restoreBackup } from '#server/app/backup/restore-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { journalFile } from '#server/platform/store/records/journal-file.ts'
import { readLastLine } from '#server/platform/store/records/journal-place.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { leastReader, storeFormat } from '#server/platform/store/store-stamp.ts'
import { type Host, startHost } from '../host.ts'
import { beginLife, type Erasing, live, type Step } from './acts.ts'
import { type Reads, readAll } from './reads.ts'

/** A store that settings can name. An in-memory store is only read from. */
export type PlaceKind = 'LMDB' | 'Redis' | 'PostgreSQL'
export type StoreKind = PlaceKind | 'memory'
export type Environment = Readonly<Record<string, string>>

export const passphrase = 'a passphrase of some length'

interface Opened {
  readonly host: Host
  readonly keyRing: KeyRing
  backUp(path: string): Promise<unknown>
  close(): Promise<void>
}

/** A server that uses its settings' store, or a memory store with otherwise identical settings. */
export async function openServer(env: Environment, kind?: StoreKind): Promise<Opened> {
  const settings = readSettings(env)
  const { region } = settings
  const memory = kind === 'memory' ? createMemoryStore() : undefined
  const opened = memory ? undefined : await openStore(settings, () => undefined)
  const behind = memory ?? opened!.store
  const auditPlace = await openAuditPlace(settings, opened?.rows, () => undefined)
  const { journalRows, segments: auditSegments } = auditPlace
  const { store, keyRing } = await openKeyRing(behind, settings, { journalRows })
  const host = await startHost({ store, ports: { keyRing, auditSegments, isOpenidProvider: true } })
  async function backUpMemory(path: string) {
    const journalLine = await readLastLine(auditPlace.folders.journal)
    const head = { backup: 1, program: productVersion, format: storeFormat, leastReader, region } as const
    const all = withAudit(behind.list(''), auditPlace, behind)
    return writeBackup(path, passphrase, { ...head, ...(journalLine && { journalLine }) }, all, Date.now)
  }
  return {
    host,
    keyRing,
    backUp: (path) => (memory ? backUpMemory(path) : createBackup(settings, path, passphrase)),
    async close() {
      await host.close()
      await behind.close()
    },
  }
}

interface Run {
  readonly from: StoreKind
  readonly to: PlaceKind
  readonly before: readonly Step[]
  readonly after: readonly Step[]
}

/** The reads at the time of the backup, and after restoring it. */
interface Restored {
  readonly atBackup: Reads
  readonly withoutJournal: Reads
  /** After the restored store has repeated everything that was erased and revoked in the original since the backup. */
  readonly erasedAgain: Reads
  readonly withJournal: Reads
}

/**
 * Runs for a while, makes a backup, keeps running, and restores the backup twice. `placeOf` returns the settings for an
 * empty store in a new folder.
 */
export async function backUpAndRestore(
  { from, to, before, after }: Run,
  address: string,
  placeOf: (kind: PlaceKind) => Promise<Environment>,
): Promise<Restored> {
  const place = await placeOf(from === 'memory' ? 'LMDB' : from)
  const [journal, path] = [`${place.DATA_DIR}.journal`, `${place.DATA_DIR}.backup`]
  const { host, backUp, close } = await openServer({ ...place, JOURNAL_FILE: journal }, from)
  const life = beginLife(host, address)
  await live(life, before)
  const atBackup = await readAll(host, host.apiKey)
  await backUp(path)
  const ahead = host.now() - Date.now()
  life.erased.length = 0
  for (const { verificationId } of life.openSessions) life.staying.add(verificationId)
  await live(life, after)

  async function restored(withJournal: boolean, erased: readonly Erasing[]): Promise<[Reads, Reads]> {
    const env = await placeOf(to)
    await restoreBackup(readSettings(env), path, passphrase, withJournal ? journalFile(journal) : undefined)
    const other = await openServer(env)
    other.host.pass(ahead)
    await other.host.services.deliveries.settle()
    const first = await readAll(other.host, host.apiKey)
    for (const erase of erased) await erase(other.host, host.apiKey).catch(unlessGone)
    const last = erased.length === 0 ? first : await readAll(other.host, host.apiKey)
    await other.close()
    return [first, last]
  }

  const [withoutJournal, erasedAgain] = await restored(false, life.erased)
  const [withJournal] = await restored(true, [])
  await close()
  return { atBackup, withoutJournal, erasedAgain, withJournal }
}

/** A restored store does not have the records that were created after the backup. */
function unlessGone(error: { readonly status?: number }): void {
  if (error.status !== 404 && error.status !== 409) throw error
}

/** Leaves out the audit log entries from after the backup, because restoring and erasing add some. */
export function comparable(reads: Reads, { atBackup }: Pick<Restored, 'atBackup'>): Reads {
  const [newest] = atBackup.audit as readonly { readonly sequence: number }[]
  const audit = reads.audit as readonly { readonly sequence: number }[]
  return { ...reads, audit: audit.filter(({ sequence }) => sequence <= newest!.sequence) }
}
