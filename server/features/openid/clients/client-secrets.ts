import { createHash, randomBytes } from 'node:crypto'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'

const overlapInMilliseconds = 24 * 3600 * 1000

/** A client secret's stored form. A secret with 256 random bits does not need a slow hash. */
export interface KeptSecret {
  /** SHA-256, base64url. */
  readonly digest: string
  /** When it stops working, in milliseconds since 1970; null for the newest. */
  readonly until: number | null
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function keptSecretOf(secret: string): KeptSecret {
  return { digest: digestOf(secret), until: null }
}

/** Puts a new secret before the previous one, which keeps working for another day, or stops working. */
export function withNewSecret(
  secrets: readonly KeptSecret[],
  secret: string,
  { immediately, now }: { readonly immediately: boolean; readonly now: number },
): { readonly secrets: readonly KeptSecret[]; readonly previousUntil: number } {
  const previousUntil = immediately ? now : now + overlapInMilliseconds
  const former = immediately || secrets[0] === undefined ? [] : [{ ...secrets[0], until: previousUntil }]
  return { secrets: [keptSecretOf(secret), ...former], previousUntil }
}

/** True if the secret is valid. Takes the same time wherever the secrets differ. */
export function isSecretOf(secrets: readonly KeptSecret[], given: string, now: number): boolean {
  const digest = digestOf(given)
  const matches = secrets.map(
    (kept) => sameDigest(kept.digest, digest) && (kept.until === null || now < kept.until),
  )
  return matches.includes(true)
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
