import { hash, timingSafeEqual } from 'node:crypto'

/** Compares two strings without revealing through timing where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

/** Like `sameSecret`, for strings that are already digests of secrets. */
export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
