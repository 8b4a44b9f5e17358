import { existsSync } from 'node:fs'
import { type Administration, createAdministration } from '#server/administration.ts'
import { openHeads } from '#server/audit/heads/open-heads.ts'
import { consoleOriginOf } from '#server/console/console-origin.ts'
import { createOutbound } from '#server/http/outbound/outbound.ts'
import { type CollectionAccess, createCollectionAccess } from '#server/recognition/collection-access.ts'
import { createErasure } from '#server/recognition/erasure/erasure.ts'
import { openKeyRing } from '#server/security/open-key-ring.ts'
import { createPictureMemory } from '#server/sessions/pictures/picture-memory.ts'
import type { Settings } from '#server/settings.ts'
import { openStore, storeFolder } from '#server/store/open-store.ts'
import { createSessionDesk, type SessionDesk } from './session-desk.ts'

const retryAfterInMilliseconds = 1000

export interface Opened {
  readonly administration: Administration
  readonly access: CollectionAccess
  readonly desk: SessionDesk
  /** Where the console is. */
  readonly consoleOrigin: string
  /** Where the secret in use stands. */
  readonly secretStandsIn: 'SECRET' | 'file'
  /** Makes the secret in use the only one that opens the store. */
  reseal(): Promise<void>
  close(): Promise<void>
}

/** Opens the store that the settings name, also while a server works with it. Makes one only where it is asked to. */
export async function openAdministration(settings: Settings, mayCreate: boolean): Promise<Opened> {
  const isEmbedded = settings.redisAddress === undefined
  if (isEmbedded && !mayCreate && !existsSync(storeFolder(settings))) {
    throw new Error(`There is no store in ${settings.dataDir}: is DATA_DIR that of the server?`)
  }
  const opened = await openStore(settings, () => undefined)
  const { keyRing, store, reseal } = await openKeyRing(opened.store, settings)
  const { headSender, toldOutside } = await openHeads(settings.upkeep.auditHeads, keyRing, (error) =>
    console.error(`The end of an audit log could not be told: ${String(error)}`),
  )
  const ports = {
    onAuditHead: headSender.tell,
    toldOutside,
    store,
    keyRing,
    pictureMemory: createPictureMemory(store, keyRing, Date.now),
    outbound: createOutbound({ allowLoopback: settings.webhookAllowLoopback }),
    now: Date.now,
    webhookRetryAfterInMilliseconds: retryAfterInMilliseconds,
    tally: { webhookSent: () => {}, webhookLost: () => {} },
    onFailure: (error: unknown) => {
      throw error
    },
  }
  const { embeddingModel: model, secondModel, formerModel } = settings.pack
  const access = createCollectionAccess(store, keyRing, Date.now, { model, secondModel, formerModel })
  const { removeByExternalId } = createErasure(store, access)
  const administration = createAdministration(ports, removeByExternalId)
  const desk = createSessionDesk(store, administration, access, Date.now)
  const secretStandsIn = settings.secret === undefined ? 'file' : 'SECRET'
  const close = async () => {
    await headSender.flush()
    await store.close()
  }
  const consoleOrigin = consoleOriginFor(settings)
  return { administration, access, desk, consoleOrigin, secretStandsIn, reseal, close }
}

/** As the server says it, which may not run now. */
function consoleOriginFor({ configurationUrl, listeners, host }: Settings): string {
  const { port } = listeners.find(({ roles }) => roles.includes('configuration')) ?? listeners[0]!
  return consoleOriginOf(configurationUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`)
}
