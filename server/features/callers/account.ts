import type { Logo } from '#shared/contract/account/logo.ts'
import type { themeFonts, themeModes } from '#shared/contract/sessions/theme.ts'
import type { Scope } from '#shared/endpoint.ts'

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
  /** How the pages look beside the colour; null for the house's own. */
  readonly look?: Partial<Look>
  /** Origins that may frame this account's pages, beside those of the deployment. */
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
  /** When it stopped working; null while it works. */
  readonly revoked: string | null
  readonly digest: string
  readonly sealedValue: string
}

/** Whoever can look up an account by its id. */
export interface FindsAccounts {
  find(accountId: string): Promise<Account | undefined>
}
