import type { StorageView } from './kiosk.ts'

/** Complete in some browsers, partial in Safari 16, and missing in WebKitGTK. */
type PartialStorage = Partial<Pick<StorageManager, 'estimate' | 'persisted' | 'persist'>>

function storageOf({ storage }: { readonly storage?: PartialStorage }): PartialStorage {
  return storage ?? {}
}

/** Reads this origin's storage. Unknown values are reported as unlimited, so a failing write is what reveals the limit. */
export async function readStorage(): Promise<StorageView> {
  const storage = storageOf(navigator)
  const estimated = (await storage.estimate?.().catch(() => undefined)) ?? {}
  const isPersisted = (await storage.persisted?.().catch(() => false)) ?? false
  return {
    usedBytes: estimated.usage ?? 0,
    quotaBytes: estimated.quota ?? Number.MAX_SAFE_INTEGER,
    isPersisted,
  }
}

/**
 * Asks the browser to make this storage persistent. It may refuse, which the staff menu shows. Do not await this: Firefox
 * asks the person and only resolves once they answer.
 */
export async function askToPersist(): Promise<void> {
  await storageOf(navigator)
    .persist?.()
    .catch(() => false)
}

/** True if a write failed because the disk is full. */
export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

/** Waits for an optional write. On a full device the write is skipped, and its data is lost on the next reload. */
export async function unlessFull(write: Promise<unknown>): Promise<void> {
  await write.catch((error) => {
    if (!isFull(error)) throw error
  })
}
