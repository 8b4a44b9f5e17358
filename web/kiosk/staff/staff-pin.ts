import type { PinCheck } from '#web/kiosk/core/kiosk.ts'
import type { KioskStore, Notes } from '#web/kiosk/core/kiosk-store.ts'
import { unlessFull } from '#web/kiosk/core/origin-storage.ts'
import type { Reserve } from '#web/kiosk/delivery/reserve.ts'

/** The staff menu's PIN. Only a verifier is stored. */
export interface StaffPin {
  isSet(): Promise<boolean>
  /** @throws {RangeError} unless it is 4 to 12 digits */
  set(pin: string): Promise<void>
  check(pin: string): Promise<PinCheck>
}

const hashRounds = 600_000
const freeTries = 3
const longestDelayInSeconds = 900

/**
 * Creates a store's PIN. [Note: A wrong PIN is counted before it is looked at] Closing the page during the check therefore uses up
 * the attempt. Delays rely on the device's own clock, and setting it back does not shorten them.
 */
export function createStaffPin(
  store: KioskStore,
  reserve: Pick<Reserve, 'within'>,
  now: () => number = Date.now,
): StaffPin {
  /** The last count, which is kept in memory in case the disk is full. */
  let counted: Notes['pin'] | undefined
  const put = (pin: Notes['pin']) =>
    reserve.within('roomForNotes', () =>
      store.write(['notes'], (transaction) => transaction.objectStore('notes').put(pin, 'pin')),
    )
  const count = (pin: Notes['pin']) => {
    counted = pin
    return unlessFull(put(pin))
  }
  const known = async () => {
    const kept = await store.note('pin')
    const isSamePin = kept !== undefined && counted !== undefined && isSame(kept.salt, counted.salt)
    return isSamePin ? counted : kept
  }

  return {
    isSet: async () => (await store.note('pin')) !== undefined,
    async set(pin) {
      if (!/^\d{4,12}$/.test(pin)) throw new RangeError('A PIN has 4 to 12 digits.')
      const salt = crypto.getRandomValues(new Uint8Array(16))
      const hash = await hashPin(pin, salt, hashRounds)
      await put({ salt, hash, rounds: hashRounds, failures: 0, failedAt: 0 })
    },
    async check(pin) {
      const kept = await known()
      if (kept === undefined) return { isRight: false, waitSeconds: 0 }
      const wait = waitOf(kept, now())
      if (wait > 0) return { isRight: false, waitSeconds: wait }
      const failed = { ...kept, failures: kept.failures + 1, failedAt: now() }
      await count(failed)
      const isRight = isSame(await hashPin(pin, kept.salt, kept.rounds), kept.hash)
      if (!isRight) return { isRight, waitSeconds: waitOf(failed, now()) }
      await count({ ...kept, failures: 0, failedAt: 0 })
      return { isRight }
    },
  }
}

/** Seconds until the next attempt: none after the first few wrong PINs, then 5, 10, 20 and so on, up to fifteen minutes. */
function waitOf({ failures, failedAt }: Notes['pin'], now: number): number {
  if (failures < freeTries) return 0
  const delay = Math.min(longestDelayInSeconds, 5 * 2 ** (failures - freeTries))
  const passed = Math.max(0, (now - failedAt) / 1000)
  return Math.max(0, Math.ceil(delay - passed))
}

async function hashPin(pin: string, salt: Uint8Array<ArrayBuffer>, iterations: number) {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, [
    'deriveBits',
  ])
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)
  return new Uint8Array(bits)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}
