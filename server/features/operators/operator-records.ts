import type { Credential } from '#server/platform/web-authn/web-authn.ts'
import type { OperatorRole } from '#shared/contract/console/operator-roles.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { Identity } from './openid/provider.ts'

/** A passkey of such a person; those that are older than names and times lack them. */
export interface OperatorPasskey extends Credential {
  readonly name?: string | null
  /** Milliseconds since 1970. */
  readonly madeAt?: number
  readonly usedAt?: number | null
}

/** Somebody who runs accounts in the console; those who are verified are none of them. */
export interface Operator {
  readonly operatorId: string
  readonly name: string
  readonly passkeys: readonly OperatorPasskey[]
  /** Who they are at the operator's provider; absent from who came with a passkey. */
  readonly identity?: Identity
  /** The host that the newest passkey was made for. */
  readonly relyingParty: string
  /** The live accounts whose team they are in; the team says as what. */
  readonly accountIds: readonly string[]
  /** ISO 8601, to the minute; null before the first time. */
  readonly lastSeen: string | null
}

/** Where the person of an account at a provider is found. */
export function identityKey({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject])
}

export interface Member {
  readonly operatorId: string
  readonly name: string
  readonly role: OperatorRole
  /** ISO 8601. */
  readonly joined: string
}

/** [Note: One record a team] The people of a live account, so that the last owner is the last for everybody at once. */
export interface Team {
  readonly members: readonly Member[]
}

/** A sign-in. [Note: Digests of secrets] Neither cookie nor token can be read off the store. */
export interface SignIn {
  readonly signInId: string
  /** The passkey that it was begun with; absent from what is older than lists of passkeys. */
  readonly passkeyId?: string
  readonly operatorId: string
  /** SHA-256 of what the cookie carries, hex. */
  readonly digest: string
  /** SHA-256 of the anti-forgery token, hex. */
  readonly tokenDigest: string
  /** A live account. */
  readonly accountId: string
  readonly environment: Environment
  /** Browser and system, in few words. */
  readonly device: string
  /** Milliseconds since 1970, as the rest. */
  readonly begunAt: number
  readonly lastSeenAt: number
  readonly passkeyShownAt: number
}

export interface Invitation {
  readonly invitationId: string
  /** SHA-256 of the code, hex. */
  readonly digest: string
  readonly accountId: string
  /** Null where the person gives it. */
  readonly name: string | null
  readonly role: OperatorRole
  /** A verified address at the provider that takes it without the code; absent from what is older than that. */
  readonly email?: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly isUsed: boolean
  /** Whose passkeys the new one takes the place of. */
  readonly replaces: string | null
  /** The person who invited; absent where it was the machine's owner. */
  readonly invitedBy?: string
  /** Whether it counts only as long as nobody is in the account. */
  readonly isForFirst?: boolean
}
