import { productVersion } from '#server/platform/running/product-version.ts'
import type { Region } from '#shared/hosts.ts'
import type { Store, Write } from './store.ts'
import { createTable, deployment } from './tables.ts'

/**
 * The format that this program writes. Incremented with each change that the previous release cannot read; `leastReader`
 * follows if that release would also cause damage. The first release, 0.2.0, wrote 3.
 */
export const storeFormat = 3
export const leastReader = 3
/** No release wrote an earlier format. */
export const firstFormat = 3

/** Facts that a store records about itself. */
export interface StoreStamp {
  readonly format: number
  /** The oldest format that a program must know in order to use this store. */
  readonly leastReader: number
  readonly region: Region
  /** The version that wrote this format. */
  readonly program: string
}

/** Marks a store that is being restored, so that no server starts on it. */
export function restoreMark(store: Store, isUnderWay: boolean): Write {
  return restoreTable(store).write(deployment, 'restore', isUnderWay ? true : undefined)
}

const restoreTable = (store: Store) => createTable<true>(store, 'store-restore')
const stampTable = (store: Store) => createTable<StoreStamp>(store, 'store-stamp')

/**
 * Marks a new store with its format and its region.
 * @throws an Error for operators if the store belongs to another region, has a format from before the first release, or
 * needs a later program
 */
export async function readStamp(store: Store, region: Region): Promise<StoreStamp> {
  const stamps = stampTable(store)
  if ((await restoreTable(store).get(deployment, 'restore')) !== undefined)
    throw new Error('A restore into this store was cut short. Empty the store, and restore again.')
  await refuseNameless(store)
  const made = { format: storeFormat, leastReader, region, program: productVersion }
  await stamps.insert(deployment, 'stamp', made)
  const stamp = (await stamps.get(deployment, 'stamp'))!
  if (stamp.region !== region)
    throw new Error(`This store belongs to the region ${stamp.region}, not ${region}`)
  const refusal = refusalOf(stamp)
  if (refusal !== undefined) throw new Error(refusal)
  return stamp
}

/** True if any program has created the store, in any format. Writes nothing. */
export async function isMade(store: Store): Promise<boolean> {
  return (await stampTable(store).get(deployment, 'stamp')) !== undefined
}

/** True if the store has been used before. */
export async function hasAccounts(store: Store): Promise<boolean> {
  for await (const _account of store.list('account/')) return true
  return false
}

/** [Note: Refused before it is marked] A store with accounts but without a stamp is not a new store. */
async function refuseNameless(store: Store): Promise<void> {
  // If two first starts run together, one may have marked the store and created an account after the other looked.
  if ((await isMade(store)) || !(await hasAccounts(store)) || (await isMade(store))) return
  throw new Error(
    'The store is damaged: it has accounts, but no region and format. Nothing was changed. Restore a backup.',
  )
}

/** The reason that an open store may no longer be used, because another program has upgraded it; undefined if it may be used. */
export async function outgrown(store: Store): Promise<string | undefined> {
  const stamp = await stampTable(store).get(deployment, 'stamp')
  return stamp && refusalOf(stamp)
}

/** The reason that this program cannot use a store; undefined if it can. */
function refusalOf({ format, leastReader: least, program }: StoreStamp): string | undefined {
  if (format < firstFormat) return `The store has format ${format}, which no release of Selfsame wrote.`
  if (least <= storeFormat) return undefined
  return `The store has format ${format}, which Selfsame ${program} wrote and which requires a program that reads format ${least}. This is ${productVersion}, which reads up to ${storeFormat}. Start the later program, or restore a backup from before the upgrade.`
}
