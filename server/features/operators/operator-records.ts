import type { Credential } from '#server/platform/web-authn/web-authn.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { OperatorRole } from '#shared/operator-roles.ts'

/** Identifies a person at a provider. Neither member changes when the person changes their name there. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** An operator's passkey. Passkeys created before names and times were stored lack both. */
export interface OperatorPasskey extends Credential {
  readonly name?: string | null
  /** Milliseconds since 1970. */
  readonly madeAt?: number
  readonly usedAt?: number | null
}

/** A person who runs accounts in the console, as opposed to a person being verified. */
export interface Operator {
  readonly operatorId: string
  readonly name: string
  readonly passkeys: readonly OperatorPasskey[]
  /** The identity at the operator's provider; absent for people who use passkeys. */
  readonly identity?: Identity
  /** The host for which the newest passkey was created. */
  readonly relyingParty: string
  /** The live accounts in which the operator is a member. The team records the role. */
  readonly accountIds: readonly string[]
  /** ISO 8601, to the minute; null before the first time. */
  readonly lastSeen: string | null
}

/** The key that finds an operator by their account at a provider. */
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

/** [Note: One record a team] A live account's members are one record, so that two owners cannot leave at the same time. */
export interface Team {
  readonly members: readonly Member[]
}

/** A sign-in. [Note: Digests of secrets] Neither the cookie nor the token can be recovered from the store. */
export interface SignIn {
  readonly signInId: string
  /** The passkey that began it; absent from records older than passkey lists. */
  readonly passkeyId?: string
  readonly operatorId: string
  /** The SHA-256 of the cookie's value, in hex. */
  readonly digest: string
  /** The SHA-256 of the anti-forgery token, in hex. */
  readonly tokenDigest: string
  /** A live account. */
  readonly accountId: string
  readonly environment: Environment
  /** A short description of the browser and system. */
  readonly device: string
  /** Milliseconds since 1970, like the others. */
  readonly begunAt: number
  readonly lastSeenAt: number
  readonly passkeyShownAt: number
}

export interface Invitation {
  readonly invitationId: string
  /** The SHA-256 of the code, in hex. */
  readonly digest: string
  readonly accountId: string
  /** Null if the person chooses the name. */
  readonly name: string | null
  readonly role: OperatorRole
  /** A verified address at the provider that may accept the invitation without the code; absent from older records. */
  readonly email?: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly isUsed: boolean
  /** The operator whose passkeys the new one replaces. */
  readonly replaces: string | null
  /** The operator who sent the invitation; absent for the machine's owner. */
  readonly invitedBy?: string
  /** True if the invitation is valid only while the account has no operator. */
  readonly isForFirst?: boolean
}
