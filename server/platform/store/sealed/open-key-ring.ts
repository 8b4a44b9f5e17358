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

/** The keys of a store, which must be of the region that the settings name. */
export interface OpenKeyRing {
  readonly keyRing: KeyRing
  /** The store as everything but the stamp and the root key is read and written. */
  readonly store: Store
  /** Whether a former secret was needed. */
  readonly opensWithFormer: boolean
  /** Makes the secret in use the only one that opens the store. */
  reseal(): Promise<void>
}

interface KeyRingOptions {
  /** Rows that hold a journal, besides the file that the settings name. */
  readonly journalRows?: JournalPlace | undefined
  /** Told of a record that could not be read and was left out, by its kind. Without it, whoever reads is. */
  readonly onUnreadable?: (kind: string, error: unknown) => void
}

/** What of the settings says how a store is sealed, and which it must be. */
interface Secrets {
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
  readonly dataDir: string
  readonly region: 'EU' | 'US'
  readonly upkeep: { readonly journalFile: string | undefined }
}

/**
 * Opens the records of a store, and begins them in an empty one.
 * @throws in words if the store is of another region or format, or none of the secrets opens it
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
