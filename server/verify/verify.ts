import type { TokenService } from '#server/security/token-service.ts'
import { createVerifyDuplicate, type VerifyDuplicate } from './duplicates.ts'
import { createResetCollection, type ResetCollection } from './reset.ts'
import { createGetVerifyToken, type GetVerifyToken } from './token.ts'

/** The verify role. */
export interface Verify {
  readonly getVerifyToken: GetVerifyToken
  readonly verifyDuplicate: VerifyDuplicate
  readonly resetCollection: ResetCollection
}

type Dependencies = Omit<Parameters<typeof createVerifyDuplicate>[0], 'stopwatch'> & {
  readonly tokenService: TokenService
}

export function createVerify({ tokenService, ...services }: Dependencies): Verify {
  return {
    getVerifyToken: createGetVerifyToken(tokenService),
    verifyDuplicate: createVerifyDuplicate({ ...services, stopwatch: () => performance.now() }),
    resetCollection: createResetCollection(services.access),
  }
}
