import type { WaitingEvent } from '#server/features/audit/chain.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { numberedKey, numberOf } from '#server/platform/store/counts.ts'
import { removalOf, type Store, type Write } from '#server/platform/store/store.ts'

const kind = 'audit-outbox'
const counterEnds = '#'

/** A pending event with its number. Numbers count from 1 in commit order, without gaps. */
export interface PendingEvent {
  readonly number: number
  /** Undefined if it was altered. */
  readonly event: WaitingEvent | undefined
}

/**
 * Events that have not been moved to the segments yet.
 * [Note: Nobody contends for the end of a log] An entry joins the commit of the change that it records, as a write that the store
 * numbers. Calls neither read nor guard the log's end, and the number determines the entry's place in it.
 */
export interface Outbox {
  /** The write for the commit that contains the recorded change. */
  write(accountId: string, event: WaitingEvent): Write
  /** Up to `most` events after a given number. */
  after(accountId: string, number: number, most: number): Promise<PendingEvent[]>
  /** The writes for the commit that records the move. */
  remove(accountId: string, numbers: readonly number[]): Write[]
  /** The accounts that have pending events. */
  accounts(): Promise<string[]>
}

export function createOutbox(store: Store, keyRing: KeyRing): Outbox {
  const keyOf = (accountId: string) => `${kind}/${accountId}`

  function opened(accountId: string, value: Uint8Array): WaitingEvent | undefined {
    const sealed = Buffer.from(value).toString()
    return tryOrUndefined(() => JSON.parse(keyRing.open(kind, accountId, sealed).toString()) as WaitingEvent)
  }

  return {
    write(accountId, event) {
      const sealed = keyRing.seal(kind, accountId, Buffer.from(JSON.stringify(event)))
      return { kind: 'append', key: keyOf(accountId), value: Buffer.from(sealed) }
    },
    async after(accountId, number, most) {
      const found: PendingEvent[] = []
      const key = keyOf(accountId)
      for await (const { key: at, value } of store.list(`${key}/`, numberedKey(key, number))) {
        found.push({ number: numberOf(at), event: opened(accountId, value) })
        if (found.length >= most) break
      }
      return found
    },
    remove: (accountId, numbers) => numbers.map((number) => removalOf(numberedKey(keyOf(accountId), number))),
    async accounts() {
      const found = new Set<string>()
      for await (const { key } of store.list(`${kind}/`))
        if (!key.endsWith(counterEnds)) found.add(key.slice(kind.length + 1, key.lastIndexOf('/')))
      return [...found]
    },
  }
}
