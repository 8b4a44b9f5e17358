import { isBelow } from '#models/rules/liveness/evidence/assurance.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Account, KioskRecord } from '#server/features/callers/callers.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { VerificationDetail } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { type Fault, Problem } from '#shared/problem.ts'

/** The verification and account that a kiosk follows. */
export interface FollowedVerification {
  readonly account: Account
  readonly configured: VerificationDetail
}

/** Reads what a kiosk currently follows. @throws {Problem} 404 if it no longer exists */
export type Follow = (kiosk: KioskRecord) => Promise<FollowedVerification>

export function createFollow(
  accounts: Pick<Accounts, 'find'>,
  verifications: Pick<Verifications, 'find'>,
): Follow {
  return async ({ accountId, verificationId }) => {
    const account = await accounts.find(accountId)
    const verification = await verifications.find(accountId, verificationId)
    if (account === undefined || verification === undefined) throw verificationNotFound()
    return { account, configured: verification }
  }
}

/** A kiosk whose verification was deleted keeps its provisions and waits. */
export function verificationNotFound(): Problem {
  return new Problem('verification_not_found', 'The verification of this kiosk no longer exists.')
}

/** [Note: A kiosk vouches for little] The device was alone with the person, so its times and pictures are only its own claim. */
const assuranceOfKiosks = 'low'

const needingExternalId = new Set(['MatchVerification', 'UniqueMatchVerification'])

/** Reasons that a verification could never be passed at a kiosk; empty if it can. Each begins with a machine-readable code. */
export function faultsAtKiosks({ verifierConfigs }: VerificationConfig): Fault[] {
  const type = verifierConfigs?.faceRecognition?.type ?? 'Disabled'
  const least = verifierConfigs?.liveness?.leastAssurance ?? 'low'
  const messages = [
    ...(needingExternalId.has(type)
      ? [
          `externalIdMissing: ${type} compares with the face of an external id, which a kiosk does not have. Must be a verification with another type of faceRecognition.`,
        ]
      : []),
    ...(isBelow(assuranceOfKiosks, least)
      ? [
          `assuranceTooLow: a capture without a server reaches only ${assuranceOfKiosks}. Must be a verification whose leastAssurance is ${assuranceOfKiosks} or absent.`,
        ]
      : []),
    ...((verifierConfigs?.reference?.type ?? 'Disabled') === 'Disabled'
      ? []
      : [
          'referenceMismatch: reference compares with a picture passed to create-session, which a kiosk does not have. Must be a verification whose reference is Disabled or absent.',
        ]),
  ]
  return messages.map((message) => ({ pointer: '#/verificationId', message }))
}
