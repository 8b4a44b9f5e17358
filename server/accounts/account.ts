import type { Scope } from '#shared/endpoint.ts'

/** An integrator. Keys that sign and that are shown to receivers are sealed under the server's secret. */
export interface Account {
  readonly accountId: string
  readonly name: string
  readonly created: string
  /** The key that webhooks carry: the first one, until an admin chooses another. */
  readonly primaryKeyId: string
  /** Newest first: the first signs, all of them verify while a rotation overlaps. */
  readonly sealedSigningKeys: readonly string[]
  readonly sealedWebhookSecret: string
  /** Whether webhooks carry the primary key in `X-API-Key`. */
  readonly webhookCarriesKey: boolean
}

export interface ApiKey {
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly created: string
  readonly lastUsed: string | null
  readonly revoked: boolean
  readonly digest: string
  readonly sealedValue: string
}
