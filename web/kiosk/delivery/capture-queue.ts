import type { QueueCounts } from '#web/kiosk/core/kiosk-facts.ts'
import type { CaptureAside, KeptCapture, KioskStore, KioskTransaction } from '#web/kiosk/core/kiosk-store.ts'
import { isFull } from '#web/kiosk/core/origin-storage.ts'
import type { Reserve } from './reserve.ts'

/** A kiosk's captures, in order. */
export interface CaptureQueue {
  /** The next capture's sequence number, and the time of the last waiting one; undefined if none is waiting. */
  next(): Promise<{ readonly sequence: number; readonly lastWaiting: number | undefined }>
  /**
   * Stores a capture, using the reserved space if necessary. It is on disk when this resolves.
   * @throws if it cannot be stored, in which case nothing else changes either
   */
  keep(capture: KeptCapture): Promise<void>
  first(): Promise<KeptCapture | undefined>
  /** Deletes a capture that the server has received. The same transaction records when it answered. */
  sent(sequence: number, at: number): Promise<void>
  /** Moves a capture that the server rejected out of the way, so that it does not block the next ones. */
  setAside(sequence: number, code: string): Promise<void>
  /** Puts rejected captures back where they were. */
  restore(): Promise<void>
  count(): Promise<QueueCounts>
}

/** Creates a store's queue. */
export function createCaptureQueue(store: KioskStore, reserve: Pick<Reserve, 'within'>): CaptureQueue {
  const { read } = store
  /** Writes to the new place before freeing the old one. On a full disk, this uses the space reserved for one capture. */
  const move = (work: (transaction: KioskTransaction) => Promise<void>) =>
    reserve.within('roomForCapture', () => store.write(['queue', 'aside'], work))

  return {
    async next() {
      const [waiting, lastSequence = 0, lastCapturedAt] = await Promise.all([
        read.count('queue'),
        store.note('lastSequence'),
        store.note('lastCapturedAt'),
      ])
      return { sequence: lastSequence + 1, lastWaiting: waiting === 0 ? undefined : lastCapturedAt }
    },
    keep: (capture) =>
      reserve.within('roomForCapture', () =>
        store.write(['queue', 'notes'], async (transaction) => {
          const notes = transaction.objectStore('notes')
          await transaction.objectStore('queue').add(capture)
          await notes.put(capture.sequence, 'lastSequence')
          await notes.put(capture.capturedAt, 'lastCapturedAt')
        }),
      ),
    async first() {
      return (await read.transaction('queue').store.openCursor())?.value
    },
    async sent(sequence, at) {
      const record = store.write(['queue', 'notes'], async (transaction) => {
        await transaction.objectStore('queue').delete(sequence)
        await transaction.objectStore('notes').put(at, 'lastSentAt')
      })
      await record.catch((error) => {
        if (!isFull(error)) throw error
        // [Note: A full device empties] On a full device, only deletions are possible, and they free space.
        return store.write(['queue'], (transaction) => transaction.objectStore('queue').delete(sequence))
      })
    },
    setAside: (sequence, code) =>
      move(async (transaction) => {
        const capture = await transaction.objectStore('queue').get(sequence)
        if (capture === undefined) return
        await transaction.objectStore('aside').put({ ...capture, code })
        await transaction.objectStore('queue').delete(sequence)
      }),
    async restore() {
      for (const sequence of await read.getAllKeys('aside')) await move(putBack(sequence))
    },
    async count() {
      const [waiting, setAside, lastSentAt = null, lastSequence = 0] = await Promise.all([
        read.count('queue'),
        read.count('aside'),
        store.note('lastSentAt'),
        store.note('lastSequence'),
      ])
      return { waiting, setAside, lastSentAt, lastSequence }
    },
  }
}

function putBack(sequence: number) {
  return async (transaction: KioskTransaction) => {
    const aside = transaction.objectStore('aside')
    const capture = await aside.get(sequence)
    if (capture === undefined) return
    await transaction.objectStore('queue').put(withoutCode(capture))
    await aside.delete(sequence)
  }
}

function withoutCode({ code: _, ...capture }: CaptureAside): KeptCapture {
  return capture
}
