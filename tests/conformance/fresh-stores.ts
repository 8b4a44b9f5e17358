import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Clock } from '#server/platform/store/store.ts'

/** Opens a new in-memory store, and closes it. */
export async function freshMemoryStore(now: Clock) {
  const store = createMemoryStore(now)
  return { store, dispose: () => store.close() }
}

/** Opens a new embedded store in a temporary folder, and removes both. */
export async function freshLmdbStore(now: Clock) {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-store-'))
  const store = openLmdbStore(folder, now)
  const dispose = async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { store, dispose }
}
