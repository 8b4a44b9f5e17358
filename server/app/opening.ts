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

export interface OpenedServices {
  readonly services: Services
  readonly auditPlace: AuditPlace
  readonly keyRing: KeyRing
  /** The console's origin. */
  readonly consoleOrigin: string
  /** The current secret's source. */
  readonly secretStandsIn: 'SECRET' | 'file'
  /** Makes the current secret the only one that opens the store. */
  reseal(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the store that the settings name, even while a server uses it. Creates a store only if `mayCreate` is true.
 * @throws an Error if no server has created the store, because a command without the server's settings would start a
 * second one
 */
export async function openServices(settings: Settings, mayCreate: boolean): Promise<OpenedServices> {
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
      console.error(`Audit entries could not be moved and remain in the store: ${String(error)}`)
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
 * Opens the store that the settings name, which a server must have created. A command without the server's settings would
 * otherwise silently start a second store next to the right one. Creates nothing if there is none, not even a folder.
 * @throws an Error that says where it looked, and which settings to check
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
      : `of the region ${settings.region} on the ${serverNameOf(settings.storeAddress)} server in STORE`
  return new Error(
    `There is no store ${place}. Run the command with the settings of the server: DATA_DIR, and STORE, REGION and SECRET if they are set.`,
  )
}
