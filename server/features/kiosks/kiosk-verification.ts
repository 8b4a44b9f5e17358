import { isBelow } from '#models/rules/liveness/evidence/assurance.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Account, KioskRecord } from '#server/features/callers/callers.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { VerificationDetail } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { type Fault, Problem } from '#shared/problem.ts'

/** What a kiosk goes by. */
export interface Followed {
  readonly account: Account
  readonly configured: VerificationDetail
}

/** Reads what a kiosk goes by now. @throws {Problem} 404 where it is gone */
export type Follow = (kiosk: KioskRecord) => Promise<Followed>

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

/** A kiosk that follows a verification which is gone keeps what it has, and waits. */
export function verificationNotFound(): Problem {
  return new Problem('verification_not_found', 'The verification of this kiosk no longer exists.')
}

/** [Note: A kiosk vouches for little] The device was alone with the person, and its times and pictures are its own word. */
const assuranceOfKiosks = 'low'

const needingExternalId = new Set(['MatchVerification', 'UniqueMatchVerification'])

/**
 * Why nobody could ever pass a verification at a kiosk; nothing where somebody could. The word that programs look for
 * stands first.
 */
export function faultsAtKiosks({ verifierConfigs }: VerificationConfig): Fault[] {
  const type = verifierConfigs?.faceRecognition?.type ?? 'Disabled'
  const least = verifierConfigs?.liveness?.leastAssurance ?? 'low'
  const messages = [
    ...(needingExternalId.has(type)
      ? [
          `externalIdMissing: ${type} compares with the face of an external id, and a kiosk has none. Must be a verification whose faceRecognition is of another type.`,
        ]
      : []),
    ...(isBelow(assuranceOfKiosks, least)
      ? [
          `assuranceTooLow: what is captured without a server reaches ${assuranceOfKiosks}. Must be a verification whose leastAssurance is that or absent.`,
        ]
      : []),
    ...((verifierConfigs?.reference?.type ?? 'Disabled') === 'Disabled'
      ? []
      : [
          'referenceMismatch: reference compares with a picture that create-session is given, and a kiosk has none. Must be a verification whose reference is Disabled or absent.',
        ]),
  ]
  return messages.map((message) => ({ pointer: '#/verificationId', message }))
}
