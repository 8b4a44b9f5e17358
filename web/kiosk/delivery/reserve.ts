import type { KioskStore } from '#web/kiosk/core/kiosk-store.ts'
import { isFull } from '#web/kiosk/core/origin-storage.ts'

/** The purpose of reserved space: one capture, or its small records. */
export type ReservePart = 'roomForCapture' | 'roomForNotes'

/** Disk space that is reserved for data that must not be lost when the disk is full. */
export interface Reserve {
  /** Reserves the space again. Resolves to false if there is not enough room for another capture. */
  hold(): Promise<boolean>
  /** Runs a write. If there is no space, releases that part's reserve and tries once more. */
  within<T>(part: ReservePart, write: () => Promise<T>): Promise<T>
}

/** Sizes: one capture with 24 pictures of the server's maximum size, encoded twice; and a few hundred bytes for each of many notes. */
const bytesOf: Readonly<Record<ReservePart, number>> = {
  roomForCapture: 32 * 1024 * 1024,
  roomForNotes: 1024 * 1024,
}

/**
 * Creates the reserve of a store. [Note: Room is held beforehand] The reserve is released in a separate transaction before the second attempt,
 * because Chromium requires the space for a whole transaction before it counts deletions in it. Nothing else takes the space in between,
 * since only one window is the kiosk. As long as the first attempt succeeds, the reserve costs nothing.
 */
export function createReserve(store: KioskStore): Reserve {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const holdPart = async (part: ReservePart): Promise<boolean> => {
    if ((await store.read.getKey('notes', part)) !== undefined) return true
    const filler = fillerOf(bytesOf[part])
    try {
      await store.write(['notes'], (transaction) => transaction.objectStore('notes').put(filler, part))
      return true
    } catch (error) {
      if (isFull(error)) return false
      throw error
    }
  }
  const giveUp = (part: ReservePart) =>
    store.write(['notes'], (transaction) => transaction.objectStore('notes').delete(part))

  return {
    hold: () =>
      inTurn(async () => {
        const isHeld = await holdPart('roomForCapture')
        if (isHeld) await holdPart('roomForNotes') // never first, or there would be too little space left for a capture
        return isHeld
      }),
    async within(part, write) {
      try {
        return await write()
      } catch (error) {
        if (!isFull(error)) throw error
        return inTurn(async () => {
          await giveUp(part)
          return write()
        })
      }
    },
  }
}

/** The size of the random blocks. */
const pieceBytes = 64 * 1024

/** Random bytes, because they cannot be compressed. Not a blob, because WebKit refuses to store blobs in private windows. */
function fillerOf(bytes: number): Uint8Array<ArrayBuffer> {
  const filler = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += pieceBytes) crypto.getRandomValues(filler.subarray(at, at + pieceBytes))
  return filler
}
