import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Settings } from '#server/settings.ts'
import { type OpenedStore, openStore, storeFolder } from './open-store.ts'
import { isMade } from './store-stamp.ts'

type Naming = Pick<Settings, 'dataDir' | 'redisAddress' | 'region'>

/**
 * The store that the settings name, which some server has made: a command under the settings of no server would begin another one beside the
 * right one, and nobody would know. Makes nothing where there is none, not even a folder.
 * @throws in words that say where it looked, and what to set
 */
export async function openMadeStore(
  settings: Naming,
  onFailure: (error: unknown) => void,
): Promise<OpenedStore> {
  const isEmbedded = settings.redisAddress === undefined
  if (isEmbedded && !existsSync(storeFolder(settings))) throw noStore(settings)
  const opened = await openStore(settings, onFailure)
  if (await isMade(opened.store)) return opened
  await opened.store.close()
  throw noStore(settings)
}

function noStore(settings: Naming): Error {
  const place =
    settings.redisAddress === undefined
      ? `in ${resolve(storeFolder(settings))}`
      : `of the region ${settings.region} in the Redis server that STORE names`
  return new Error(
    `There is no store ${place}. Give the command the settings of the server: DATA_DIR, and STORE, REGION and SECRET where they were set.`,
  )
}
