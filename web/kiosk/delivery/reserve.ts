import type { KioskStore } from '#web/kiosk/core/kiosk-store.ts'
import { isFull } from '#web/kiosk/core/origin-storage.ts'

/** What room is held for: one capture, or the small records with it. */
export type ReservePart = 'roomForCapture' | 'roomForNotes'

/** Room on the disk that is held for what must not be lost when the disk is full. */
export interface Reserve {
  /** Holds again what was given up. False where the disk has no room for another capture. */
  hold(): Promise<boolean>
  /** Runs a write; where it finds no room, gives up what is held for its part, and runs it once more. */
  within<T>(part: ReservePart, write: () => Promise<T>): Promise<T>
}

/** A capture takes 24 pictures, twice wrapped, at the most that the server accepts; a note some hundred bytes, time and again. */
const bytesOf: Readonly<Record<ReservePart, number>> = {
  roomForCapture: 32 * 1024 * 1024,
  roomForNotes: 1024 * 1024,
}

/**
 * The reserve of a store. [Note: Room is held beforehand] It is given up in a transaction of its own, just before the second try:
 * Chromium asks for the room of a whole transaction before it counts what the same transaction deletes. Nobody takes it in between,
 * for one window alone is the kiosk; and as long as the first try finds room, the reserve costs nothing.
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
        if (isHeld) await holdPart('roomForNotes') // never before: what is left would be short of a capture by as much
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

/** So much noise is made at once, and no more. */
const pieceBytes = 64 * 1024

/** Bytes that nothing makes smaller: noise is not packed. Never a blob: WebKit refuses to keep those in private windows. */
function fillerOf(bytes: number): Uint8Array<ArrayBuffer> {
  const filler = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += pieceBytes) crypto.getRandomValues(filler.subarray(at, at + pieceBytes))
  return filler
}
