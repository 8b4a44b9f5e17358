import { hash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in a time that tells nothing of where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

/** As `sameSecret`, for texts that are digests of secrets already. */
export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
