import type { Clock } from '#server/platform/store/store.ts'

/** Each value's prefix: its expiry in milliseconds as a big-endian double; 0 means never. */
export const headerBytes = 8

/** A stored entry's value; undefined if it is missing or has expired. */
export function unwrap(stored: Buffer | undefined, now: Clock): Uint8Array | undefined {
  if (stored === undefined) return undefined
  const expiresAt = stored.readDoubleBE()
  if (expiresAt !== 0 && expiresAt <= now()) return undefined
  return stored.subarray(headerBytes, stored.length)
}

/** Like `unwrap`, for one value among a million. Only the double 0 begins with the byte 0, so most values need no further check. */
export function unwrapShown(stored: Uint8Array, now: Clock): Uint8Array | undefined {
  return stored[0] === 0 ? stored.subarray(headerBytes) : unwrap(Buffer.from(stored), now)
}
