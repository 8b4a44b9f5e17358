import type { StorageView } from './kiosk.ts'

/** What some browsers have all of, Safari 16 a part of, and WebKitGTK nothing. */
type PartialStorage = Partial<Pick<StorageManager, 'estimate' | 'persisted' | 'persist'>>

function storageOf({ storage }: { readonly storage?: PartialStorage }): PartialStorage {
  return storage ?? {}
}

/** What the browser tells of this origin's storage; unknown is reported as unlimited, and the write itself finds out. */
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
 * Asks the browser not to clear this origin by itself; it may say no, and the staff menu tells. Nobody should wait for it: Firefox
 * asks the person, and answers when they do.
 */
export async function askToPersist(): Promise<void> {
  await storageOf(navigator)
    .persist?.()
    .catch(() => false)
}

/** Whether a write failed for want of room. */
export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

/** Waits for a write that may be left out on a full device: what cannot be written is known until the page is loaded anew. */
export async function unlessFull(write: Promise<unknown>): Promise<void> {
  await write.catch((error) => {
    if (!isFull(error)) throw error
  })
}
