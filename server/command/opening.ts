import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Administration, createAdministration } from '#server/administration.ts'
import { createOutbound } from '#server/http/outbound.ts'
import { createCollectionAccess } from '#server/recognition/collection-access.ts'
import { createErasure } from '#server/recognition/erasure.ts'
import { createKeyRing } from '#server/security/key-ring.ts'
import { loadMasterSecret } from '#server/security/master-secret.ts'
import { createPictureMemory } from '#server/sessions/picture-memory.ts'
import type { Settings } from '#server/settings.ts'
import { openLmdbStore } from '#server/store/lmdb.ts'
import { stampRegion } from '#server/store/region-stamp.ts'

const retryAfterInMilliseconds = 1000

/** Opens the store that the settings name, also while a server works with it. Makes one only where it is asked to. */
export async function openAdministration(
  settings: Settings,
  mayCreate: boolean,
): Promise<{ administration: Administration; close(): Promise<void> }> {
  const folder = join(settings.dataDir, 'store')
  if (!mayCreate && !existsSync(folder)) {
    throw new Error(`There is no store in ${settings.dataDir}: is DATA_DIR that of the server?`)
  }
  const keyRing = createKeyRing(await loadMasterSecret(settings.secret, settings.dataDir), settings.region)
  const store = openLmdbStore(folder)
  await stampRegion(store, settings.region)
  const ports = {
    store,
    keyRing,
    pictureMemory: createPictureMemory(store, keyRing, Date.now),
    outbound: createOutbound({ allowLoopback: settings.webhookAllowLoopback }),
    now: Date.now,
    webhookRetryAfterInMilliseconds: retryAfterInMilliseconds,
    tally: { webhookSent: () => {} },
    onFailure: (error: unknown) => {
      throw error
    },
  }
  const { removeByExternalId } = createErasure(store, createCollectionAccess(store, keyRing, Date.now))
  const administration = createAdministration(ports, removeByExternalId)
  return { administration, close: () => store.close() }
}
