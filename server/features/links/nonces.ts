import { hash } from 'node:crypto'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'

/** A used nonce is stored slightly longer than its link is valid, so that clock differences cannot reopen the link. */
const keptBeyondExpiryInSeconds = 60

/** The session that a nonce opened, with digests of the opener's secrets, if it had any. */
interface NonceUse {
  readonly sessionId: string
  readonly opener: string | null
  /** Digest of the secret that reopens the link; absent if there was none. */
  readonly resume?: string
}

export interface Nonces {
  isUsed(accountId: string, nonce: string): Promise<boolean>
  /** The session opened with this nonce and this secret; undefined for any other secret. */
  sessionOf(accountId: string, nonce: string, openingId: string): Promise<string | undefined>
  /** The session that may be continued with this secret; undefined for any other secret. */
  resumableSession(accountId: string, nonce: string, resumeSecret: string): Promise<string | undefined>
  /** The write for the commit that opens the session. It succeeds only if the nonce is unused. */
  consume(accountId: string, nonce: string, use: Opening): { write: Write; guard: Guard }
}

interface Opening {
  readonly sessionId: string
  readonly openingId: string | undefined
  readonly resumeSecret: string | undefined
  /** Until the link or the session expires, whichever is later. */
  readonly secondsLeft: number
}

/** [Note: Nonces are consumed once] The same commit that opens the session also consumes the nonce. */
export function createNonces(store: Store): Nonces {
  const table = createTable<NonceUse>(store, 'nonce')
  return {
    isUsed: async (accountId, nonce) => (await table.get(accountId, nonce)) !== undefined,
    async sessionOf(accountId, nonce, openingId) {
      const use = await table.get(accountId, nonce)
      if (use === undefined || use.opener === null) return undefined
      return sameDigest(use.opener, digestOf(openingId)) ? use.sessionId : undefined
    },
    async resumableSession(accountId, nonce, resumeSecret) {
      const use = await table.get(accountId, nonce)
      if (use?.resume === undefined) return undefined
      return sameDigest(use.resume, digestOfResume(resumeSecret)) ? use.sessionId : undefined
    },
    consume(accountId, nonce, { sessionId, openingId, resumeSecret, secondsLeft }) {
      const use: NonceUse = {
        sessionId,
        opener: openingId === undefined ? null : digestOf(openingId),
        ...(resumeSecret !== undefined && { resume: digestOfResume(resumeSecret) }),
      }
      return {
        write: table.write(accountId, nonce, use, Math.max(0, secondsLeft) + keptBeyondExpiryInSeconds),
        guard: table.absent(accountId, nonce),
      }
    },
  }
}

function digestOfResume(resumeSecret: string): string {
  return hash('sha256', `resume|${resumeSecret}`, 'base64url')
}

function digestOf(openingId: string): string {
  return hash('sha256', `opening|${openingId}`, 'base64url')
}
