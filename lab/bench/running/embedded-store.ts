import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLmdbStore } from '../../../server/platform/store/drivers/lmdb.ts'
import type { Clock } from '../../../server/platform/store/store.ts'

/** Opens an embedded store in a temporary folder. Also returns its size on disk and a way to close it and delete the folder. */
export async function openEmbeddedStore(now?: Clock) {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-bench-'))
  const store = openLmdbStore(folder, now)
  return {
    store,
    bytes: async () => (await stat(join(folder, 'data.mdb'))).size,
    async close() {
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}
