import { createKeyRing, type KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createJournal } from '#server/platform/store/records/journal.ts'
import { journalFile } from '#server/platform/store/records/journal-file.ts'
import type { JournalPlace } from '#server/platform/store/records/journal-place.ts'
import { kindOf } from '#server/platform/store/records/record-kinds.ts'
import type { Store } from '#server/platform/store/store.ts'
import { readStamp } from '#server/platform/store/store-stamp.ts'
import { loadMasterSecrets } from './master-secret.ts'
import { openRootKey, resealRootKey } from './root-key.ts'
import { createEntrySeal, createSealedStore } from './sealed-store.ts'

/** A store's keys. The store must belong to the region in the settings. */
export interface OpenKeyRing {
  readonly keyRing: KeyRing
  /** The store through which everything except the stamp and the root key is read and written. */
  readonly store: Store
  /** True if an earlier secret was needed. */
  readonly opensWithFormer: boolean
  /** Makes the current secret the only one that opens the store. */
  reseal(): Promise<void>
}

interface KeyRingOptions {
  /** Rows that hold a journal, in addition to the file in the settings. */
  readonly journalRows?: JournalPlace | undefined
  /** Reports a record that was skipped because it is unreadable, with its kind. If absent, the reader receives the error. */
  readonly onUnreadable?: (kind: string, error: unknown) => void
}

/** The settings that determine how a store is sealed, and which store it must be. */
interface Secrets {
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
  readonly dataDir: string
  readonly region: 'EU' | 'US'
  readonly upkeep: { readonly journalFile: string | undefined }
}

/**
 * Opens a store's records, and initialises an empty store.
 * @throws an Error that says if the store belongs to another region, has another format, or none of the secrets opens it
 */
export async function openKeyRing(
  store: Store,
  settings: Secrets,
  { onUnreadable, journalRows }: KeyRingOptions = {},
): Promise<OpenKeyRing> {
  const { secret, secretPrevious, dataDir, region, upkeep } = settings
  const secrets = await loadMasterSecrets({ secret, secretPrevious, folder: dataDir })
  await readStamp(store, region)
  const { key, opensWithFormer } = await openRootKey(store, region, secrets)
  const keyRing = createKeyRing(key, region)
  const entrySeal = createEntrySeal(keyRing)
  const places = [journalRows, fileOf(upkeep)].filter((place) => place !== undefined)
  const journal = places.length === 0 ? undefined : createJournal(places, keyRing, Date.now)
  return {
    keyRing,
    store: createSealedStore(store, entrySeal, {
      onWritten: async (writes) => journal?.note(writes, ({ key, value }) => entrySeal.seal(key, value)),
      ...(onUnreadable && {
        onUnreadable: (key: string, error: unknown) => onUnreadable(kindOf(key), error),
      }),
    }),
    opensWithFormer,
    reseal: () => resealRootKey(store, region, secrets),
  }
}

function fileOf({ journalFile: path }: Secrets['upkeep']): JournalPlace | undefined {
  return path === undefined ? undefined : journalFile(path)
}
