import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { TokenService } from '#server/features/tokens/handlers.ts'
import { createVerifyDuplicate } from './duplicates.ts'
import { createResetCollection } from './reset.ts'

/** The verify role. */
export type Verify = HandlersOf<'verify', 'getVerifyToken' | 'verifyDuplicate' | 'resetCollection'>

type Dependencies = Omit<Parameters<typeof createVerifyDuplicate>[0], 'stopwatch'> & {
  readonly tokenService: TokenService
}

export function createVerify({ tokenService, ...services }: Dependencies): Verify {
  return {
    getVerifyToken: async (request) => (await tokenService.getToken(request)).token,
    verifyDuplicate: createVerifyDuplicate({ ...services, stopwatch: () => performance.now() }),
    resetCollection: createResetCollection(services.access),
  }
}
