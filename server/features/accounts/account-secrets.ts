import { randomBytes } from 'node:crypto'
import type { RotatedSecret } from '#server/features/callers/callers.ts'
import { deriveKey, type KeyRing } from '#server/platform/crypto/key-ring.ts'
import { getOrCreate } from '#server/platform/store/get-or-create.ts'
import type { Clock } from '#server/platform/store/store.ts'

const mostRemembered = 1000

/** The secrets that an account seals, by use. */
export type SecretUse = 'signing-key' | 'webhook-secret' | 'person-key'

/** Creates, rotates and opens accounts' secrets. */
export interface AccountSecrets {
  seal(use: SecretUse, accountId: string, secret: Uint8Array): string
  /** A list that contains one new secret. */
  first(use: SecretUse, accountId: string): readonly RotatedSecret[]
  /** Puts a new secret before the others, which remain valid for the overlap. Drops expired ones. */
  rotate(
    use: SecretUse,
    accountId: string,
    before: readonly RotatedSecret[],
    overlapInMilliseconds: number,
  ): readonly RotatedSecret[]
  open(use: SecretUse, accountId: string, sealed: string): Buffer
  /** The valid secrets, newest first. */
  openAll(use: SecretUse, accountId: string, secrets: readonly RotatedSecret[]): Buffer[]
  /** Like `openAll`, but derives a key for one purpose from each secret. */
  deriveAll(use: SecretUse, accountId: string, secrets: readonly RotatedSecret[], purpose: string): Buffer[]
}

export function createAccountSecrets(keyRing: KeyRing, now: Clock): AccountSecrets {
  /** [Note: Opened once] Opened secrets are cached by their sealed form, which changes with them, so they cannot be stale. */
  const opened = new Map<string, Buffer>()

  /** Derived keys, by the secret object in the cached account, which is replaced when it changes. */
  const derived = new WeakMap<RotatedSecret, Map<string, Buffer>>()
  function derive(use: SecretUse, accountId: string, secret: RotatedSecret, purpose: string): Buffer {
    const known = derived.get(secret)
    const found = known?.get(purpose)
    if (found !== undefined) return found
    const key = deriveKey(open(use, accountId, secret.sealed), purpose)
    derived.set(secret, (known ?? new Map<string, Buffer>()).set(purpose, key))
    return key
  }

  const seal: AccountSecrets['seal'] = (use, accountId, secret) => keyRing.seal(use, accountId, secret)
  const open: AccountSecrets['open'] = (use, accountId, sealed) =>
    getOrCreate(opened, mostRemembered, `${use}/${accountId}/${sealed}`, () =>
      keyRing.open(use, accountId, sealed),
    )
  const make = (use: SecretUse, accountId: string): RotatedSecret => ({
    sealed: seal(use, accountId, randomBytes(32)),
    created: new Date(now()).toISOString(),
    until: null,
  })
  const counts = ({ until }: RotatedSecret) => until === null || Date.parse(until) > now()

  return {
    seal,
    open,
    first: (use, accountId) => [make(use, accountId)],
    rotate(use, accountId, before, overlapInMilliseconds) {
      const latest = new Date(now() + overlapInMilliseconds).toISOString()
      const ending = before.map((secret) => ({ ...secret, until: earlier(secret.until, latest) }))
      return [make(use, accountId), ...ending.filter(counts)]
    },
    openAll: (use, accountId, secrets) =>
      secrets.filter(counts).map(({ sealed }) => open(use, accountId, sealed)),
    deriveAll(use, accountId, secrets, purpose) {
      const keys: Buffer[] = []
      for (const secret of secrets) if (counts(secret)) keys.push(derive(use, accountId, secret, purpose))
      return keys
    },
  }
}

/** ISO 8601 timestamps in UTC sort chronologically. */
function earlier(a: string | null, b: string): string {
  return a !== null && a < b ? a : b
}
