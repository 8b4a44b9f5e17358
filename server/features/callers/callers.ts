import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Consequence } from '#shared/consequences.ts'
import type { Catalogue } from '#shared/contract/catalogue.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { DevicePublicKey } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Logo } from '#shared/contract/sessions/logo.ts'
import type { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import type { Auth, Endpoint, Handler, Scope } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'

/** An account secret that is rotated with an overlap. Sealed under the server's secret. */
export interface RotatedSecret {
  readonly sealed: string
  readonly created: string
  /** When it stops being valid; null for the newest. */
  readonly until: string | null
}

/** An integrator. */
export interface Account {
  readonly accountId: string
  readonly name: string
  readonly created: string
  /** The key that webhooks carry: the first one, until an admin chooses another. */
  readonly primaryKeyId: string
  /** Newest first: the first signs, every valid one verifies. */
  readonly signingKeys: readonly RotatedSecret[]
  /** Newest first: every valid one signs each event. */
  readonly webhookSecrets: readonly RotatedSecret[]
  /** True if webhooks carry the primary key in `X-API-Key`. */
  readonly webhookCarriesKey: boolean
  /** `#rrggbb`, or null for the default colour. */
  readonly accentColour: string | null
  readonly logo: Logo | null
  /** Shown to visitors instead of the name. */
  readonly displayName?: string | null
  /** https or mailto. */
  readonly supportUrl?: string | null
  /** The pages' look besides the colour; null for the default. */
  readonly look?: Partial<Look>
  /** Origins that may frame this account's pages, in addition to the deployment's. */
  readonly embedOrigins: readonly string[]
  /** How many failed sessions are allowed per hour; null for the deployment's limit. */
  readonly attemptLimit: AttemptLimit
  /**
   * The default scopes for a bearer token requested without any, limited to the key's scopes; null for all that a bearer
   * token may have.
   */
  readonly defaultTokenScope?: string | null
  /** The share of reviews that a second reviewer decides too; absent for none. */
  readonly secondOpinionPercent?: number
  /** The key for this account's person digests, which are meaningless without it. */
  readonly sealedPersonKey: string
  /** The live account that this one shadows; absent for a live account. */
  readonly testOf?: string
  /** This live account's test account, once it exists. */
  readonly testAccountId?: string
  /** Counts every change to the account or its keys, so that one of two concurrent changes is retried. */
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
  /**
   * When it stopped working; null while it works. For a key that ends later, the record has that time here, so that older
   * programs refuse it immediately.
   */
  readonly revoked: string | null
  /** When it will stop working, if that is later; absent otherwise, and once it has stopped. */
  readonly ends?: string
  readonly digest: string
  readonly sealedValue: string
}

/** Looks up accounts by ID. */
export interface FindsAccounts {
  find(accountId: string): Promise<Account | undefined>
}

/** A stored kiosk. Times are in milliseconds since 1970. */
export interface KioskRecord {
  readonly kioskId: string
  readonly accountId: string
  readonly name: string
  readonly verificationId: string
  readonly locale: string | null
  readonly created: number
  readonly pairingEnds: number
  /** Null until a device is paired. */
  readonly device: {
    readonly publicKey: DevicePublicKey
    readonly pairedAt: number
    /** The issuers given to the device, newest last; absent if it was paired by an earlier version and has not synced since. */
    readonly issuers?: readonly string[]
  } | null
  /** When it was revoked; null if it was not. */
  readonly revoked: number | null
}

/** A request's origin, and the signal that its client has disconnected. */
export interface Origin {
  readonly address: string
  readonly signal: AbortSignal
  /** Memory reserved by the request; absent if the call is not a request. */
  lease?: Lease
  /** How many typical analyses this request's analyses counted as, beyond the first of each; see `usesOf`. */
  extraUses?: number
  /** The request's ID; absent if the call is not a request. */
  readonly requestId?: string
  /** The client's User-Agent; absent if it sends none. */
  readonly userAgent?: string
}

export interface AnonymousCaller extends Origin {
  readonly kind: 'anonymous'
}

/**
 * The holder of an API key or of its bearer token, an operator in the console, or a person at the machine itself. Only
 * the credential determines the account.
 */
export interface AccountCaller extends Origin {
  readonly kind: 'account'
  readonly accountId: string
  /** The key's ID, or the ID of the operator in the console. */
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly via: 'key' | 'bearer' | 'command' | 'operator'
  /** The account when the request arrived; absent if the call is not a request. */
  readonly account?: Account
  /** A bearer token's `jti`. */
  readonly tokenId?: string
  /** The name of the operator in the console. */
  readonly operatorName?: string
  /** True if the operator showed the passkey recently. */
  readonly isFresh?: boolean
  /** The call's consequences, once they are known; see `answerFor`. */
  consequences?: readonly Consequence[]
  /** The part of a session's evidence that a review was based on, for the audit log. */
  saw?: 'pictures'
}

/** The holder of a session token, who may read the session's plan and submit to the session. */
export interface SessionCaller extends Origin {
  readonly kind: 'session'
  readonly accountId: string
  readonly sessionId: string
  /** 0 for the device that opened the session, incremented for each device that took it over. */
  readonly device: number
}

/** The holder of a kiosk token: a paired device that was not revoked when the request arrived. */
export interface KioskCaller extends Origin {
  readonly kind: 'kiosk'
  readonly accountId: string
  readonly kioskId: string
  /** The kiosk when the request arrived. */
  readonly kiosk: KioskRecord
}

export type Caller = AnonymousCaller | AccountCaller | SessionCaller | KioskCaller

/** The caller type for an endpoint's kind of authentication. */
export type CallerFor<A extends Auth> = A extends 'none'
  ? AnonymousCaller
  : A extends 'session'
    ? SessionCaller
    : A extends 'kiosk'
      ? KioskCaller
      : AccountCaller

/** An endpoint's handler. It receives the validated request and the admitted caller. */
export type HandlerOf<E> = E extends Endpoint ? Handler<E, CallerFor<E['auth']>> : never

/** Each role with a handler for each of its endpoints. */
export type Handlers = { [R in Role]: { [Name in keyof Catalogue[R]]: HandlerOf<Catalogue[R][Name]> } }

type Names = { [R in Role]: keyof Catalogue[R] }[Role]
type NamedEndpoint<N extends Names> = {
  [R in Role]: N extends keyof Catalogue[R] ? Catalogue[R][N] : never
}[Role]
type RequestOf<H> = H extends (request: infer Request) => unknown ? Request : never

/** Endpoints for which role and scope are not enough; their permits are checked too. */
export type PermittedByContent = {
  [R in Role]: {
    [N in keyof Catalogue[R]]: Catalogue[R][N] extends { permittedBy: 'content' } ? N : never
  }[keyof Catalogue[R]]
}[Role]

/**
 * Decides if a caller may make a specific request. Checked before a stored response is repeated.
 * [Note: Permission comes first]
 * @throws {Problem} 403
 */
export type PermitsOf<Name extends PermittedByContent> = {
  readonly [N in Name]: (request: RequestOf<HandlerOf<NamedEndpoint<N>>>) => Promise<void>
}

/** The handlers for some of a role's endpoints, under their names in the contract. */
export type HandlersOf<R extends Role, Name extends keyof Catalogue[R]> = Pick<Handlers[R], Name>

/** Returns `live`, or `test` for a live account's shadow. */
export function environmentOf({ testOf }: Pick<Account, 'testOf'>): Environment {
  return testOf === undefined ? 'live' : 'test'
}

/** By account ID; undefined for an unknown account. */
export function createEnvironmentOf(accounts: FindsAccounts) {
  return async (accountId: string): Promise<Environment | undefined> => {
    const account = await accounts.find(accountId)
    return account && environmentOf(account)
  }
}

/**
 * [Note: Step-up by consequence] An unattended sign-in may be used for everyday tasks only. Calls that weaken a verdict,
 * redirect a result or a person, or change who may frame the pages need the passkey again, whichever call it is, and are
 * reported to the owners and the audit log. Test data affects no one.
 * @throws {Problem} 403 `passkey_needed`
 */
export function answerFor(caller: AccountCaller, found: readonly Consequence[]): void {
  caller.consequences = found
  if (found.length === 0 || !isLive(caller) || caller.via !== 'operator' || caller.isFresh === true) return
  throw new Problem('passkey_needed', `Confirm this with your passkey: ${found.join(', ')}.`)
}

/** True if the call affects live data. */
export function isLive({ account }: AccountCaller): boolean {
  return account === undefined || environmentOf(account) === 'live'
}

/** The author for versions and notices: an operator's name or a key's ID; null for the machine's owner. */
export function authorOf({ via, keyId, operatorName }: AccountCaller): string | null {
  return via === 'command' ? null : (operatorName ?? keyId)
}
