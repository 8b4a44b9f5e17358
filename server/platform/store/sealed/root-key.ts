import { randomBytes } from 'node:crypto'
import { deriveKey, open, seal } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import type { Store } from '#server/platform/store/store.ts'
import { hasAccounts } from '#server/platform/store/store-stamp.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import type { Region } from '#shared/hosts.ts'

const context = 'root-key'

/** The secrets that may open a store: the current one, then earlier ones. */
export type MasterSecrets = readonly [Uint8Array, ...Uint8Array[]]

export interface RootKey {
  /** The key from which all of the deployment's other keys are derived. */
  readonly key: Uint8Array
  /** True if an earlier secret opened it, so the store should be resealed. */
  readonly opensWithFormer: boolean
}

/**
 * [Note: One key under the secret] Everything is sealed under keys derived from one random key, and only this key is
 * sealed under the master secret. So the secret can be changed by resealing one record, and all sealed data, chains and
 * keyed hashes stay as they are. Created at the first start.
 * @throws if none of the secrets opens it, or there is existing data but no key
 */
export async function openRootKey(store: Store, region: Region, secrets: MasterSecrets): Promise<RootKey> {
  const table = createTable<string>(store, 'root-key')
  const isMissing = async () => (await table.get(deployment, 'root')) === undefined
  // If two first starts run together, one may have created an account after the other looked for the key.
  if ((await isMissing()) && (await hasAccounts(store)) && (await isMissing())) throw keyMissing()
  await table.insert(deployment, 'root', seal(sealingKey(secrets[0], region), context, randomBytes(32)))
  const sealed = (await table.get(deployment, 'root'))!
  for (const [i, secret] of secrets.entries()) {
    const key = tryOrUndefined(() => open(sealingKey(secret, region), context, sealed))
    if (key !== undefined) return { key, opensWithFormer: i > 0 }
  }
  throw new Error('The master secret does not open this store. Set SECRET_PREVIOUS if it was changed.')
}

/** Seals the root key under the current secret. Earlier secrets no longer open it. */
export async function resealRootKey(store: Store, region: Region, secrets: MasterSecrets): Promise<void> {
  const { key } = await openRootKey(store, region, secrets)
  const table = createTable<string>(store, 'root-key')
  await table.put(deployment, 'root', seal(sealingKey(secrets[0], region), context, key))
}

function sealingKey(secret: Uint8Array, region: Region): Buffer {
  return deriveKey(secret, `seal:root-key|${region}`)
}

function keyMissing(): Error {
  return new Error(
    'The store is damaged: it has accounts, but the key that opens them is missing. Restore a backup.',
  )
}
