import type { KioskRecord } from '#server/features/callers/callers.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord } from '#server/platform/store/tables.ts'

/** Stored kiosks, each with its owner and, for a day, its pairing code. */
export interface KioskStore {
  add(kiosk: KioskRecord, pairingCode: string): Promise<boolean>
  read(accountId: string, kioskId: string): Promise<GuardedRecord<KioskRecord> | undefined>
  /** The stored record, for callers that may revoke it again. */
  readRecord(accountId: string, kioskId: string): Promise<GuardedRecord<KioskRecord> | undefined>
  /** Looks up a kiosk by ID alone, for callers without one of the account's credentials. */
  readAny(kioskId: string): Promise<GuardedRecord<KioskRecord> | undefined>
  readByCode(pairingCode: string): Promise<GuardedRecord<KioskRecord> | undefined>
  /** False if another request was faster; otherwise `writes` are part of the same commit. */
  replace(before: GuardedRecord<KioskRecord>, kiosk: KioskRecord, writes?: readonly Write[]): Promise<boolean>
  list(accountId: string): AsyncIterable<KioskRecord>
}

/**
 * [Note: An expired code is still known] Codes are remembered for a day, so that a person who types an expired code learns
 * what is wrong with it.
 */
const codeKeptInSeconds = 24 * 3600

/** [Note: What was revoked stays refused] `isWithdrawn` knows about revocations that a record may no longer show. */
export function createKioskStore(
  store: Store,
  isWithdrawn: (accountId: string, kioskId: string) => boolean = () => false,
): KioskStore {
  const kiosks = createTable<KioskRecord>(store, 'kiosk')
  const owners = createTable<string>(store, 'kiosk-owner')
  const codes = createTable<string>(store, 'kiosk-pairing')

  const asItCounts = (kiosk: KioskRecord): KioskRecord =>
    kiosk.revoked === null && isWithdrawn(kiosk.accountId, kiosk.kioskId)
      ? { ...kiosk, revoked: kiosk.created }
      : kiosk
  const read: KioskStore['read'] = async (accountId, kioskId) => {
    const found = await kiosks.read(accountId, kioskId)
    return found && { ...found, value: asItCounts(found.value) }
  }

  const readAny: KioskStore['readAny'] = async (kioskId) => {
    const accountId = await owners.get(deployment, kioskId)
    return accountId === undefined ? undefined : read(accountId, kioskId)
  }

  return {
    readAny,
    add(kiosk, pairingCode) {
      const { accountId, kioskId } = kiosk
      return store.commit(
        [
          kiosks.write(accountId, kioskId, kiosk),
          owners.write(deployment, kioskId, accountId),
          codes.write(deployment, pairingCode, kioskId, codeKeptInSeconds),
        ],
        [codes.absent(deployment, pairingCode)],
      )
    },
    read,
    readRecord: (accountId, kioskId) => kiosks.read(accountId, kioskId),
    async readByCode(pairingCode) {
      const kioskId = await codes.get(deployment, pairingCode)
      return kioskId === undefined ? undefined : readAny(kioskId)
    },
    replace: (before, kiosk, writes = []) =>
      store.commit([kiosks.write(kiosk.accountId, kiosk.kioskId, kiosk), ...writes], [before.guard]),
    async *list(accountId) {
      for await (const kiosk of kiosks.list(accountId)) yield asItCounts(kiosk)
    },
  }
}
