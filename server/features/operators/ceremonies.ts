import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { refused } from '#server/platform/web-authn/web-authn.ts'

const livesForSeconds = 5 * 60
const use = 'operator-ceremony'

interface Ceremony {
  readonly challenge: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * WebAuthn challenges, which the client keeps. [Note: A stranger writes nothing] Beginning a ceremony needs no credential and
 * leaves no record. The answer leaves one, so that each ceremony counts once.
 */
export interface Ceremonies {
  /** The challenge, sealed for one purpose. */
  begin(purpose: string, challenge: string): string
  /** The challenge of a ceremony, once. @throws {Problem} 400 if it has expired, was used, or was begun for another purpose */
  take(purpose: string, ceremony: string): Promise<string>
}

export function createCeremonies(store: Store, keyRing: KeyRing, now: Clock): Ceremonies {
  const used = createTable<true>(store, 'operator-ceremony')
  return {
    begin: (purpose, challenge) =>
      keyRing.seal(
        use,
        purpose,
        Buffer.from(JSON.stringify({ challenge, expiresAt: now() + livesForSeconds * 1000 })),
      ),
    async take(purpose, ceremony) {
      const opened = tryOrUndefined(() => keyRing.open(use, purpose, ceremony))
      if (opened === undefined) throw refused()
      const { challenge, expiresAt } = JSON.parse(opened.toString()) as Ceremony
      const isFirst =
        expiresAt > now() && (await used.insert(deployment, challenge, true, 2 * livesForSeconds))
      if (!isFirst) throw refused()
      return challenge
    },
  }
}
