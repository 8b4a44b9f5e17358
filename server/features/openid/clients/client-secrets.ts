import { createHash, randomBytes } from 'node:crypto'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'

const overlapInMilliseconds = 24 * 3600 * 1000

/** A secret of a client as it is kept: 256 random bits need no slow digest. */
export interface KeptSecret {
  /** SHA-256, base64url. */
  readonly digest: string
  /** When it stops working, milliseconds since 1970; null while it is the newest. */
  readonly until: number | null
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function keptSecretOf(secret: string): KeptSecret {
  return { digest: digestOf(secret), until: null }
}

/** A new secret before the former one, which works for a day more, or no longer. */
export function withNewSecret(
  secrets: readonly KeptSecret[],
  secret: string,
  { immediately, now }: { readonly immediately: boolean; readonly now: number },
): { readonly secrets: readonly KeptSecret[]; readonly previousUntil: number } {
  const previousUntil = immediately ? now : now + overlapInMilliseconds
  const former = immediately || secrets[0] === undefined ? [] : [{ ...secrets[0], until: previousUntil }]
  return { secrets: [keptSecretOf(secret), ...former], previousUntil }
}

/** Whether a secret is one of those that work. Takes the same time whichever is wrong. */
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
