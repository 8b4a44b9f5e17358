import type { StorageView } from './kiosk.ts'

/** Complete in some browsers, partial in Safari 16, missing in WebKitGTK. */
type PartialStorage = Partial<Pick<StorageManager, 'estimate' | 'persisted' | 'persist'>>

function storageOf({ storage }: { readonly storage?: PartialStorage }): PartialStorage {
  return storage ?? {}
}

/** Storage of this origin. Unknown values are reported as unlimited; a failing write then shows the truth. */
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
 * Asks the browser to make this storage persistent. It may refuse, which the staff menu shows. Do not wait for it: Firefox
 * asks the person and resolves only after their answer.
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

/** Waits for an optional write. On a full device it is skipped, and its data is lost at the next reload. */
export async function unlessFull(write: Promise<unknown>): Promise<void> {
  await write.catch((error) => {
    if (!isFull(error)) throw error
  })
}
