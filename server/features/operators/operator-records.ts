import type { Credential } from '#server/platform/web-authn/web-authn.ts'
import type { OperatorRole } from '#shared/contract/console/operator-roles.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { Identity } from './openid/provider.ts'

/** A passkey of an operator; those created before names and times were stored lack them. */
export interface OperatorPasskey extends Credential {
  readonly name?: string | null
  /** Milliseconds since 1970. */
  readonly madeAt?: number
  readonly usedAt?: number | null
}

/** A person who runs accounts in the console, not one who is verified. */
export interface Operator {
  readonly operatorId: string
  readonly name: string
  readonly passkeys: readonly OperatorPasskey[]
  /** Identity at the operator's provider; absent for people who use passkeys. */
  readonly identity?: Identity
  /** The host for which the newest passkey was created. */
  readonly relyingParty: string
  /** The live accounts of which the operator is a member; the team records the role. */
  readonly accountIds: readonly string[]
  /** ISO 8601, to the minute; null before the first time. */
  readonly lastSeen: string | null
}

/** Key for finding the operator of an account at a provider. */
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

/** [Note: One record a team] The members of a live account are one record, so that two owners cannot leave at the same time. */
export interface Team {
  readonly members: readonly Member[]
}

/** A sign-in. [Note: Digests of secrets] Neither cookie nor token can be recovered from the store. */
export interface SignIn {
  readonly signInId: string
  /** The passkey that it began with; absent from records older than lists of passkeys. */
  readonly passkeyId?: string
  readonly operatorId: string
  /** SHA-256 of the cookie's value, hex. */
  readonly digest: string
  /** SHA-256 of the anti-forgery token, hex. */
  readonly tokenDigest: string
  /** A live account. */
  readonly accountId: string
  readonly environment: Environment
  /** Short description of browser and system. */
  readonly device: string
  /** Milliseconds since 1970, like the others. */
  readonly begunAt: number
  readonly lastSeenAt: number
  readonly passkeyShownAt: number
}

export interface Invitation {
  readonly invitationId: string
  /** SHA-256 of the code, hex. */
  readonly digest: string
  readonly accountId: string
  /** Null if the person chooses it. */
  readonly name: string | null
  readonly role: OperatorRole
  /** A verified address at the provider that may accept it without the code; absent from older records. */
  readonly email?: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly isUsed: boolean
  /** The operator whose passkeys the new one replaces. */
  readonly replaces: string | null
  /** The operator who invited; absent if it was the machine's owner. */
  readonly invitedBy?: string
  /** True if it is valid only while the account has no operator. */
  readonly isForFirst?: boolean
}
