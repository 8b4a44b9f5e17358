import type { Clock } from '#server/platform/store/store.ts'

/** Bytes before each value: when it expires, in milliseconds as a big-endian double; 0 for never. */
export const headerBytes = 8

/** The value of a stored entry; undefined if there is none, or if it has expired. */
export function unwrap(stored: Buffer | undefined, now: Clock): Uint8Array | undefined {
  if (stored === undefined) return undefined
  const expiresAt = stored.readDoubleBE()
  if (expiresAt !== 0 && expiresAt <= now()) return undefined
  return stored.subarray(headerBytes, stored.length)
}

/** The same for one of a million values. A big-endian double begins with the byte 0 only if it is 0, and no expiry is: most values need no look at the rest. */
export function unwrapShown(stored: Uint8Array, now: Clock): Uint8Array | undefined {
  return stored[0] === 0 ? stored.subarray(headerBytes) : unwrap(Buffer.from(stored), now)
}
