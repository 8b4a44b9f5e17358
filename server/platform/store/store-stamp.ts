import { productVersion } from '#server/platform/running/product-version.ts'
import type { Region } from '#shared/hosts.ts'
import type { Store, Write } from './store.ts'
import { createTable, deployment } from './tables.ts'

/**
 * The format in which this program writes. It counts up with each change that the program before cannot read; `leastReader`
 * goes along where that one would also do harm. 1: before 0.2.0, without a stamp. 2: every record is sealed.
 * 3: audit entries wait in an outbox, and lie in segments outside the store.
 */
export const storeFormat = 3
export const leastReader = 3

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
const regionTable = (store: Store) => createTable<string>(store, 'region')

/**
 * Marks a new store with its format and its region, and answers which format the store has; 1 where it has no stamp yet.
 * @throws in words for the operator where it is of another region, or takes a later program
 */
export async function readStamp(store: Store, region: Region): Promise<number> {
  const [stamps, regions] = [stampTable(store), regionTable(store)]
  if ((await restoreTable(store).get(deployment, 'restore')) !== undefined)
    throw new Error('A restore into this store was cut short. Empty the store, and restore again.')
  await refuseNameless(store)
  const isNew = [stamps.absent(deployment, 'stamp'), regions.absent(deployment, 'region')]
  await store.commit(stampWrites(store, region), isNew)
  const stamp = await stamps.get(deployment, 'stamp')
  refuseOther(stamp?.region ?? (await regions.get(deployment, 'region')), region)
  if (stamp === undefined) return 1
  refuseLater(stamp)
  return stamp.format
}

/** Whether some program has made the store already, of whatever format. Writes nothing. */
export async function isMade(store: Store): Promise<boolean> {
  const [stamp, region] = await Promise.all([
    stampTable(store).get(deployment, 'stamp'),
    regionTable(store).get(deployment, 'region'),
  ])
  return stamp !== undefined || region !== undefined
}

/** Whether anybody has worked with the store before. */
export async function hasAccounts(store: Store): Promise<boolean> {
  for await (const _account of store.list('account/')) return true
  return false
}

/** [Note: Refused before it is marked] What holds accounts and says nothing of itself is no new store. */
async function refuseNameless(store: Store): Promise<void> {
  // Of two first starts at once one may have marked it, and made an account, after the other has looked.
  if ((await isMade(store)) || !(await hasAccounts(store)) || (await isMade(store))) return
  throw new Error(
    'The store holds accounts, but does not say of which region and format it is: it is damaged, or of a program before 0.1.0. Nothing was changed.',
  )
}

/** Notes that the store has the format of this program from now on. */
export async function raiseStamp(store: Store, region: Region): Promise<void> {
  await store.commit(stampWrites(store, region), [])
}

/** Why a store that was opened may not be worked on any more, as another program has raised it meanwhile; or undefined. */
export async function outgrown(store: Store): Promise<string | undefined> {
  const stamp = await stampTable(store).get(deployment, 'stamp')
  return stamp !== undefined && stamp.leastReader > storeFormat ? laterWords(stamp) : undefined
}

/**
 * [Note: An older program is refused in its own words] Before 0.2.0 a program looks at the region alone: there it finds words
 * that stop its start, in place of records that it would take for damaged.
 */
function stampWrites(store: Store, region: Region) {
  const stamp = { format: storeFormat, leastReader, region, program: productVersion }
  const words = `${region} (format ${storeFormat}: takes Selfsame ${productVersion} or later)`
  return [
    stampTable(store).write(deployment, 'stamp', stamp),
    regionTable(store).write(deployment, 'region', words),
  ]
}

function refuseOther(found: string | undefined, region: Region): void {
  if (found !== region) throw new Error(`This store belongs to the region ${found}, not ${region}`)
}

function refuseLater(stamp: StoreStamp): void {
  if (stamp.leastReader > storeFormat) throw new Error(laterWords(stamp))
}

function laterWords({ format, leastReader: least, program }: StoreStamp): string {
  return `The store is of format ${format}, which Selfsame ${program} made and which takes a program that reads format ${least}. This is ${productVersion}, which reads up to ${storeFormat}: start the later program, or restore a backup from before the upgrade.`
}
