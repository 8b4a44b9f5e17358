import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Logo } from '#shared/contract/account/logo.ts'
import type { Catalogue } from '#shared/contract/catalogue.ts'
import type { Consequence } from '#shared/contract/console/consequences.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { DevicePublicKey } from '#shared/contract/kiosk/kiosk-device.ts'
import type { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import type { Auth, Endpoint, Handler, Scope } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'

/** A secret of an account that can be exchanged while the one before still counts. Sealed under the server's secret. */
export interface RotatedSecret {
  readonly sealed: string
  readonly created: string
  /** When it stops counting; null while it is the newest. */
  readonly until: string | null
}

/** An integrator. */
export interface Account {
  readonly accountId: string
  readonly name: string
  readonly created: string
  /** The key that webhooks carry: the first one, until an admin chooses another. */
  readonly primaryKeyId: string
  /** Newest first: the first signs, all that still count verify. */
  readonly signingKeys: readonly RotatedSecret[]
  /** Newest first: each that still counts signs every event. */
  readonly webhookSecrets: readonly RotatedSecret[]
  /** Whether webhooks carry the primary key in `X-API-Key`. */
  readonly webhookCarriesKey: boolean
  /** `#rrggbb`, or null for the house colour. */
  readonly accentColour: string | null
  readonly logo: Logo | null
  /** What visitors are told instead of the name. */
  readonly displayName?: string | null
  /** https or mailto. */
  readonly supportUrl?: string | null
  /** How the pages look besides the colour; null for the house's own. */
  readonly look?: Partial<Look>
  /** Origins that may frame this account's pages, besides those of the deployment. */
  readonly embedOrigins: readonly string[]
  /** Failed sessions an hour; null for the deployment's own limit. */
  readonly attemptLimit: AttemptLimit
  /** What a bearer gets that is asked for without a scope, as far as the key has it; null for all that a bearer may. */
  readonly defaultTokenScope?: string | null
  /** What persons of this account are indexed with: without it their digests say nothing. */
  readonly sealedPersonKey: string
  /** The live account that this one is the shadow of; absent for a live one. */
  readonly testOf?: string
  /** The account in which this live one tries things out, once it has one. */
  readonly testAccountId?: string
  /** Counts every change of the account or its keys, so that of two at once one is tried again. */
  readonly changes: number
}

export interface Look {
  readonly radius: number | null
  readonly font: (typeof themeFonts)[number] | null
  readonly mode: (typeof themeModes)[number] | null
}

export type AttemptLimit = number | 'off' | null

export interface ApiKey {
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly created: string
  readonly lastUsed: string | null
  /** When it stopped working; null while it works. In the record of one that ends later that time, so that older programs refuse it at once. */
  readonly revoked: string | null
  /** When it stops working, where that was to be later; absent otherwise, and once it has. */
  readonly ends?: string
  readonly digest: string
  readonly sealedValue: string
}

/** Whoever can look up an account by its id. */
export interface FindsAccounts {
  find(accountId: string): Promise<Account | undefined>
}

/** A kiosk as it is stored. Times are milliseconds since 1970. */
export interface KioskRecord {
  readonly kioskId: string
  readonly accountId: string
  readonly name: string
  readonly verificationId: string
  readonly locale: string | null
  readonly created: number
  readonly pairingEnds: number
  /** Null until a device was paired. */
  readonly device: {
    readonly publicKey: DevicePublicKey
    readonly pairedAt: number
    /** The issuers that it was told, the newest last; absent from who was paired by a former program and has not synced since. */
    readonly issuers?: readonly string[]
  } | null
  /** When it was switched off; null as long as it was not. */
  readonly revoked: number | null
}

/** Where a request comes from, and the signal that tells when its client hangs up. */
export interface Origin {
  readonly address: string
  readonly signal: AbortSignal
  /** What the request holds in memory; absent where the caller came in no request. */
  lease?: Lease
  /** How many usual analyses those of this request counted as, besides the first of each; see `usesOf`. */
  extraUses?: number
  /** Of the request; absent where the caller came in none. */
  readonly requestId?: string
  /** What the client calls itself; absent where it says nothing. */
  readonly userAgent?: string
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
  /** What of a session's evidence a review was made by: for the audit log. */
  saw?: 'pictures'
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

/** What answers an endpoint: it is called with what arrived, checked, and with whoever is allowed in. */
export type HandlerOf<E> = E extends Endpoint ? Handler<E, CallerFor<E['auth']>> : never

/** Each role with a handler for each of its endpoints. */
export type Handlers = { [R in Role]: { [Name in keyof Catalogue[R]]: HandlerOf<Catalogue[R][Name]> } }

type Names = { [R in Role]: keyof Catalogue[R] }[Role]
type Named<N extends Names> = { [R in Role]: N extends keyof Catalogue[R] ? Catalogue[R][N] : never }[Role]
type RequestOf<H> = H extends (request: infer Request) => unknown ? Request : never

/** Endpoints of which more than role and scope says who may call them: their permits are asked, too. */
export type PermittedByContent = {
  [R in Role]: {
    [N in keyof Catalogue[R]]: Catalogue[R][N] extends { permittedBy: 'content' } ? N : never
  }[keyof Catalogue[R]]
}[Role]

/**
 * Who may call some endpoints, as far as that depends on what is sent: asked before a repeat is answered. [Note: Permission comes first]
 * @throws {Problem} 403
 */
export type PermitsOf<Name extends PermittedByContent> = {
  readonly [N in Name]: (request: RequestOf<HandlerOf<Named<N>>>) => Promise<void>
}

/** The handlers of some endpoints of a role, under the names that the contract gives them. */
export type HandlersOf<R extends Role, Name extends keyof Catalogue[R]> = Pick<Handlers[R], Name>

/** Whether an account is a live one, or the shadow in which a live one tries things out. */
export function environmentOf({ testOf }: Pick<Account, 'testOf'>): Environment {
  return testOf === undefined ? 'live' : 'test'
}

/** By the account's id; undefined for one that is not known. */
export function createEnvironmentOf(accounts: FindsAccounts) {
  return async (accountId: string): Promise<Environment | undefined> => {
    const account = await accounts.find(accountId)
    return account && environmentOf(account)
  }
}

/**
 * [Note: Step-up by consequence] A sign-in that is found open may do what its person does every day. Whatever weakens a verdict, moves a result
 * or a person elsewhere or frames the pages needs the passkey anew, whichever call does it; the owners are told of it, and the audit log. Test
 * data decides about nobody.
 * @throws {Problem} 403 `passkey_needed`
 */
export function answerFor(caller: AccountCaller, found: readonly Consequence[]): void {
  caller.consequences = found
  if (found.length === 0 || !isLive(caller) || caller.via !== 'operator' || caller.isFresh === true) return
  throw new Problem('passkey_needed', `Show your passkey again for this: ${found.join(', ')}.`)
}

/** Whether what is done is done to live data. */
export function isLive({ account }: AccountCaller): boolean {
  return account === undefined || environmentOf(account) === 'live'
}

/** Who does it, as versions and notices tell it: the name of a person, the id of a key; null for the machine's owner. */
export function authorOf({ via, keyId, operatorName }: AccountCaller): string | null {
  return via === 'command' ? null : (operatorName ?? keyId)
}
