import { productVersion } from '#server/platform/running/product-version.ts'
import type { Region } from '#shared/hosts.ts'
import type { Store, Write } from './store.ts'
import { createTable, deployment } from './tables.ts'

/**
 * The format in which this program writes. It counts up with each change that the release before cannot read; `leastReader` follows if that
 * release would also do harm. 0.2.0, the first release, wrote 3.
 */
export const storeFormat = 3
export const leastReader = 3
/** No release wrote an earlier one. */
export const firstFormat = 3

/** What a store says of itself. */
export interface StoreStamp {
  readonly format: number
  /** The least format that a program must know to work on it. */
  readonly leastReader: number
  readonly region: Region
  /** The version that gave it this format. */
  readonly program: string
}

/** Marks a store into which a restore is under way: nobody may start on it. */
export function restoreMark(store: Store, isUnderWay: boolean): Write {
  return restoreTable(store).write(deployment, 'restore', isUnderWay ? true : undefined)
}

const restoreTable = (store: Store) => createTable<true>(store, 'store-restore')
const stampTable = (store: Store) => createTable<StoreStamp>(store, 'store-stamp')

/**
 * Marks a new store with its format and its region.
 * @throws in words for the operator if the store is of another region, of a format before the first release, or takes a later program
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

/** Whether some program has made the store already, of whatever format. Writes nothing. */
export async function isMade(store: Store): Promise<boolean> {
  return (await stampTable(store).get(deployment, 'stamp')) !== undefined
}

/** Whether anybody has worked with the store before. */
export async function hasAccounts(store: Store): Promise<boolean> {
  for await (const _account of store.list('account/')) return true
  return false
}

/** [Note: Refused before it is marked] A store with accounts and without a stamp is not a new one. */
async function refuseNameless(store: Store): Promise<void> {
  // Of two first starts at once one may have marked it, and made an account, after the other has looked.
  if ((await isMade(store)) || !(await hasAccounts(store)) || (await isMade(store))) return
  throw new Error(
    'The store holds accounts, but does not say of which region and format it is: it is damaged. Nothing was changed. Restore a backup.',
  )
}

/** Why a store that was opened may not be worked on any more, as another program has raised it meanwhile; or undefined. */
export async function outgrown(store: Store): Promise<string | undefined> {
  const stamp = await stampTable(store).get(deployment, 'stamp')
  return stamp && refusalOf(stamp)
}

/** Why this program cannot work on a store, in words; undefined if it can. */
function refusalOf({ format, leastReader: least, program }: StoreStamp): string | undefined {
  if (format < firstFormat) return `The store is of format ${format}, which no release of Selfsame wrote.`
  if (least <= storeFormat) return undefined
  return `The store is of format ${format}, which Selfsame ${program} made and which takes a program that reads format ${least}. This is ${productVersion}, which reads up to ${storeFormat}: start the later program, or restore a backup from before the upgrade.`
}
