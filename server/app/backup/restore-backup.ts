import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditPlace, openAuditPlace } from '#server/app/audit-place.ts'
import type { Services } from '#server/app/compose.ts'
import { composeNextToServer } from '#server/app/compose-next-to-server.ts'
import type { Settings } from '#server/app/settings.ts'
import { createKeyRing, type KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { type OpenedStore, openStore } from '#server/platform/store/open-store.ts'
import { readJournal, verifyJournal } from '#server/platform/store/records/journal.ts'
import { findLineNumber, type JournalPlace } from '#server/platform/store/records/journal-place.ts'
import { loadMasterSecrets } from '#server/platform/store/sealed/master-secret.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { openRootKey } from '#server/platform/store/sealed/root-key.ts'
import { createEntrySeal, createSealedStore } from '#server/platform/store/sealed/sealed-store.ts'
import { putOf, removalOf, type Store, type Write } from '#server/platform/store/store.ts'
import { restoreMark } from '#server/platform/store/store-stamp.ts'
import { createAuditRestore } from './audit-frames.ts'
import { type BackupEnd, type BackupEntry, type BackupHead, readBackup } from './backup-file.ts'
import { whyUnfit } from './create-backup.ts'
import { replay } from './replay.ts'

/** The maximum difference between two machines' clocks. */
const clocksDifferByMilliseconds = 5000
const writtenAtOnce = 500

export interface VerifiedBackup {
  readonly head: BackupHead
  readonly end: BackupEnd
  readonly keyRing: KeyRing
}

export interface RestoredBackup extends BackupEnd {
  /** How many records were erased or withdrawn again because that happened after the backup. */
  readonly replayed: number
}

/**
 * Reads a backup from beginning to end, and checks that the secret opens it.
 * @throws an Error that says if it is incomplete, or belongs to another region, a later program or another secret
 */
export async function verifyBackup(
  settings: Settings,
  path: string,
  passphrase: string,
): Promise<VerifiedBackup> {
  const keys = createMemoryStore()
  let head: BackupHead | undefined
  const end = await readBackup(
    path,
    passphrase,
    (found) => {
      const unfit = whyUnfit(found, settings)
      if (unfit !== undefined) throw new Error(unfit)
      head = found
    },
    async (batch) => {
      for (const { key, value } of batch) if (key.startsWith('root-key/')) await keys.put(key, value!)
    },
  )
  if (head === undefined) throw new Error('The backup is empty.')
  return { head, end, keyRing: await openBackedUpKeyRing(keys, settings) }
}

/**
 * Restores a backup into an empty store, repeats the later erasures and withdrawals of a journal, and ends every link and
 * token. [Note: A restore ends links and tokens] The nonces of links that were used since the backup are lost, and so are
 * the ends of sessions, so earlier signatures would open them again. New keys sign from now on, earlier ones are no
 * longer accepted, and operators have to sign in again.
 * @throws if the store is not empty, or the journal is incomplete, and like `verifyBackup`; nothing has been restored
 * then
 */
export async function restoreBackup(
  settings: Settings,
  path: string,
  passphrase: string,
  journal: JournalPlace | undefined,
): Promise<RestoredBackup> {
  const verified = await verifyBackup(settings, path, passphrase)
  const { end, keyRing } = verified
  if (journal !== undefined) await verifyJournal(journal, keyRing)
  const opened = await openStore(settings, () => undefined)
  const { store } = opened
  const auditPlace = await openAuditPlace(settings, opened.rows, () => undefined)
  const later = createMemoryStore()
  try {
    await auditPlace.segments.requireCut()
    await refuseFull(store, auditPlace)
    const journalOfPlace = await findEmptyJournal(auditPlace)
    const audit = createAuditRestore({ place: auditPlace, journal: journalOfPlace, keyRing, later })
    await store.commit([restoreMark(store, true)], [])
    await readBackup(
      path,
      passphrase,
      () => undefined,
      async (batch) => write(store, await audit.put(batch)),
    )
    await audit.end(journal)
    const replayed =
      journal === undefined ? 0 : await replay(store, await entriesSince(verified, journal), keyRing)
    await store.commit([restoreMark(store, false)], [])
    await endLinksAndTokens(opened, settings, { later, auditPlace })
    return { ...end, replayed }
  } finally {
    await auditPlace.close()
    await store.close()
  }
}

/** The journal's entries since the backup. */
async function entriesSince({ head, end, keyRing }: VerifiedBackup, journal: JournalPlace) {
  const afterLine = await findLineNumber(journal, head.journalLine)
  return readJournal(journal, keyRing, end.takenAt - clocksDifferByMilliseconds, afterLine)
}

async function openBackedUpKeyRing(
  keys: Store,
  { secret, secretPrevious, dataDir, region }: Settings,
): Promise<KeyRing> {
  if (secret === undefined && !existsSync(join(dataDir, 'secret')))
    throw new Error(`The secret is missing: set SECRET, or copy the file "secret" into ${dataDir}.`)
  for await (const _entry of keys.list('root-key/')) {
    const secrets = await loadMasterSecrets({ secret, secretPrevious, folder: dataDir })
    return createKeyRing((await openRootKey(keys, region, secrets)).key, region)
  }
  throw new Error('The file is not a backup of a store: it contains no key.')
}

/** The journal that a restore may fill. An existing file contains lines from another history. */
async function findEmptyJournal({ journalRows, folders }: AuditPlace): Promise<JournalPlace | undefined> {
  const { journal } = folders
  return journalRows ?? ((await journal?.exists()) === false ? journal : undefined)
}

async function refuseFull(store: Store, { kind, segments }: AuditPlace): Promise<void> {
  for await (const _entry of store.list('')) {
    throw new Error(
      'The store is not empty. Restore into a new DATA_DIR, or an empty Redis server or PostgreSQL database.',
    )
  }
  if ((await segments.accounts()).length === 0) return
  if (kind === 'rows')
    throw new Error(
      'There are audit logs already, in the database or in the folder AUDIT_DIR. Restore into an empty database, and move that folder away.',
    )
  throw new Error(
    'The folder of audit logs is not empty. Move its contents elsewhere, or set AUDIT_DIR to another folder.',
  )
}

async function write(store: Store, batch: readonly BackupEntry[]): Promise<void> {
  const now = Date.now()
  const writes = batch.map(({ key, value, expiresAt = Number.POSITIVE_INFINITY }): Write => {
    if (value === undefined || expiresAt <= now) return removalOf(key)
    return putOf(key, value, Number.isFinite(expiresAt) ? (expiresAt - now) / 1000 : undefined)
  })
  for (let at = 0; at < writes.length; at += writtenAtOnce) {
    await store.commit(writes.slice(at, at + writtenAtOnce), [])
  }
}

async function endLinksAndTokens(
  { store: behind, blobs: ofServer }: Pick<OpenedStore, 'store' | 'blobs'>,
  settings: Settings,
  { later, auditPlace }: { later: Store; auditPlace: AuditPlace },
): Promise<void> {
  const { journalRows } = auditPlace
  const { keyRing, store } = await openKeyRing(behind, settings, { journalRows })
  const { services, headSender, closeFaceServers } = await composeNextToServer(settings, {
    store,
    keyRing,
    ofServer,
    auditPlace,
  })
  const { accounts, audit, auditArchives, auditMover, operators, tokenKeys } = services
  headSender.tellRestore()
  await auditArchives.trimToStore(createSealedStore(later, createEntrySeal(keyRing)))
  await tokenKeys.rotate(true)
  await store.commit(await operators.endAll(), [])
  for (const { accountId } of await accounts.list()) {
    await accounts.rotateSigningKey(accountId, true)
    await audit.note(accountId, 'restoreBackup', 'commandLine', {})
  }
  await auditMover.stop()
  await headSender.flush()
  await eraseOldIndex(services)
  await closeFaceServers()
}

/** [Note: An index is made of the store] An index from a later time would contain erased faces. The next search builds a new one. */
async function eraseOldIndex({ recognition }: Services): Promise<void> {
  await recognition.access.indexes.postgres?.eraseAll().catch((error: unknown) => {
    console.error(
      `A server of the face index cannot be reached and still has faces of a later time. Remove its tables before it comes back. ${String(error)}`,
    )
  })
}
