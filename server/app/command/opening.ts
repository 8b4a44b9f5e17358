import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AuditPlace, openAuditPlace } from '#server/app/audit-place.ts'
import type { Services } from '#server/app/compose.ts'
import { composeNextToServer } from '#server/app/compose-next-to-server.ts'
import type { Settings } from '#server/app/settings.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { type OpenedStore, openStore, storeFolder } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { isMade } from '#server/platform/store/store-stamp.ts'
import { serverNameOf } from '#server/platform/store/store-traits.ts'

export interface Opened {
  readonly services: Services
  readonly auditPlace: AuditPlace
  readonly keyRing: KeyRing
  /** Where the console is. */
  readonly consoleOrigin: string
  /** Where the secret in use stands. */
  readonly secretStandsIn: 'SECRET' | 'file'
  /** Makes the secret in use the only one that opens the store. */
  reseal(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the store that the settings name, also while a server works with it. Makes one only where it is asked to.
 * @throws in words where no server has made it: a command with the settings of no server would begin a second store
 */
export async function openServices(settings: Settings, mayCreate: boolean): Promise<Opened> {
  const opened = mayCreate
    ? await openStore(settings, () => undefined)
    : await openMadeStore(settings, () => undefined)
  const auditPlace = await openAuditPlace(settings, opened.rows, () => undefined)
  const { journalRows } = auditPlace
  const { keyRing, store, reseal } = await openKeyRing(opened.store, settings, { journalRows })
  const { services, headSender, closeFaceServers } = await composeNextToServer(settings, {
    store,
    keyRing,
    ofServer: opened.blobs,
    auditPlace,
  })
  const secretStandsIn = settings.secret === undefined ? 'file' : 'SECRET'
  const close = async () => {
    await services.auditMover.stop().catch((error: unknown) => {
      console.error(`Audit entries wait in the store, as they could not be moved: ${String(error)}`)
    })
    await services.evidence.stop()
    await headSender.flush()
    await closeFaceServers()
    await auditPlace.close()
    await store.close()
  }
  const consoleOrigin = services.console.origin()
  return { services, auditPlace, keyRing, consoleOrigin, secretStandsIn, reseal, close }
}

type Naming = Pick<Settings, 'dataDir' | 'storeAddress' | 'region'>

/**
 * The store that the settings name, which some server has made: a command under the settings of no server would begin another one next to the
 * right one, and nobody would know. Makes nothing where there is none, not even a folder.
 * @throws in words that say where it looked, and what to set
 */
export async function openMadeStore(
  settings: Naming,
  onFailure: (error: unknown) => void,
): Promise<OpenedStore> {
  const isEmbedded = settings.storeAddress === undefined
  if (isEmbedded && !existsSync(storeFolder(settings))) throw noStore(settings)
  const opened = await openStore(settings, onFailure)
  if (await isMade(opened.store)) return opened
  await opened.store.close()
  throw noStore(settings)
}

function noStore(settings: Naming): Error {
  const place =
    settings.storeAddress === undefined
      ? `in ${resolve(storeFolder(settings))}`
      : `of the region ${settings.region} in the ${serverNameOf(settings.storeAddress)} server that STORE names`
  return new Error(
    `There is no store ${place}. Give the command the settings of the server: DATA_DIR, and STORE, REGION and SECRET where they were set.`,
  )
}
