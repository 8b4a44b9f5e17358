import type { Settings } from '#server/settings.ts'
import { stampRegion } from '#server/store/region-stamp.ts'
import type { Store } from '#server/store/store.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { loadMasterSecrets } from './master-secret.ts'
import { openRootKey, resealRootKey } from './root-key.ts'

/** The keys of a store, which must be of the region that the settings name. */
export interface OpenKeyRing {
  readonly keyRing: KeyRing
  /** Whether a former secret was needed. */
  readonly opensWithFormer: boolean
  /** Makes the secret in use the only one that opens the store. */
  reseal(): Promise<void>
}

/** @throws when the store is of another region, or none of the secrets opens it */
export async function openKeyRing(store: Store, settings: Settings): Promise<OpenKeyRing> {
  const { secret, secretPrevious, dataDir, region } = settings
  const secrets = await loadMasterSecrets({ secret, secretPrevious, folder: dataDir })
  await stampRegion(store, region)
  const { key, opensWithFormer } = await openRootKey(store, region, secrets)
  return {
    keyRing: createKeyRing(key, region),
    opensWithFormer,
    reseal: () => resealRootKey(store, region, secrets),
  }
}
