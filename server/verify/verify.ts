import type { AccountCaller } from '#server/accounts/caller.ts'
import type { TokenService } from '#server/security/token-service.ts'
import type { getVerifyToken } from '#shared/contract/recognition/verify.ts'
import type { Handler } from '#shared/endpoint.ts'
import { createVerifyDuplicate, type VerifyDuplicate } from './duplicates.ts'
import { createResetCollection, type ResetCollection } from './reset.ts'

/** The verify role. */
export interface Verify {
  /** The token of the security role, as plain text. */
  readonly getVerifyToken: Handler<typeof getVerifyToken, AccountCaller>
  readonly verifyDuplicate: VerifyDuplicate
  readonly resetCollection: ResetCollection
}

type Dependencies = Omit<Parameters<typeof createVerifyDuplicate>[0], 'stopwatch'> & {
  readonly tokenService: TokenService
}

export function createVerify({ tokenService, ...services }: Dependencies): Verify {
  return {
    getVerifyToken: async (request) => (await tokenService.get(request)).token,
    verifyDuplicate: createVerifyDuplicate({ ...services, stopwatch: () => performance.now() }),
    resetCollection: createResetCollection(services.access),
  }
}
