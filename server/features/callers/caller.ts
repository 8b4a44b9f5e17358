import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Consequence } from '#shared/contract/console/consequences.ts'
import type { Auth, Scope } from '#shared/endpoint.ts'
import type { Account } from './account.ts'
import type { KioskRecord } from './kiosk-record.ts'

/** Where a request comes from, and the signal that tells when its client hangs up. */
export interface Origin {
  readonly address: string
  readonly signal: AbortSignal
  /** What the request holds in memory; absent where the caller came in no request. */
  lease?: Lease
  /** Told how many usual analyses one counts as, besides the first. */
  spend?: (uses: number) => void
  /** Of the request; absent where the caller came in none. */
  readonly requestId?: string
}

export interface AnonymousCaller extends Origin {
  readonly kind: 'anonymous'
}

/** The holder of an API key or of a bearer made with it, who is signed in to the console, or who sits at the machine itself. The credential names the account; nothing else may. */
export interface AccountCaller extends Origin {
  readonly kind: 'account'
  readonly accountId: string
  /** The id of the key; of the person, for who is signed in to the console. */
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly via: 'key' | 'bearer' | 'command' | 'operator'
  /** The account as it was when the request came in; absent where the caller came in no request. */
  readonly account?: Account
  /** The `jti` of a bearer. */
  readonly tokenId?: string
  /** Who is signed in to the console, by name. */
  readonly operatorName?: string
  /** Of them, whether the passkey was shown a moment ago. */
  readonly isFresh?: boolean
  /** What the call leads to, once that is known: see `answerFor`. */
  consequences?: readonly Consequence[]
}

/** The holder of a session token: may read that session's plan and submit to it. */
export interface SessionCaller extends Origin {
  readonly kind: 'session'
  readonly accountId: string
  readonly sessionId: string
  /** 0 for the device that opened the session, and one more for each that took it over. */
  readonly device: number
}

/** The holder of a kiosk's token: a paired device that was not revoked when the request came in. */
export interface KioskCaller extends Origin {
  readonly kind: 'kiosk'
  readonly accountId: string
  readonly kioskId: string
  /** The kiosk as it was when the request came in. */
  readonly kiosk: KioskRecord
}

export type Caller = AnonymousCaller | AccountCaller | SessionCaller | KioskCaller

/** Who an endpoint with this way of proving oneself is called by. */
export type CallerFor<A extends Auth> = A extends 'none'
  ? AnonymousCaller
  : A extends 'session'
    ? SessionCaller
    : A extends 'kiosk'
      ? KioskCaller
      : AccountCaller
