import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { TokenService } from '#server/features/tokens/tokens.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createVerifyDuplicate } from './duplicates.ts'
import { createFullness } from './fullness.ts'
import { createResetCollection } from './reset.ts'

export type Verify = HandlersOf<'verify', 'getVerifyToken' | 'verifyDuplicate' | 'resetCollection'>

type Dependencies = Omit<Parameters<typeof createVerifyDuplicate>[0], 'stopwatch' | 'fullness'> & {
  readonly store: Store
  readonly events: Pick<Events, 'prepare'>
  readonly tokenService: TokenService
}

export function createVerify({ store, events, tokenService, ...services }: Dependencies): Verify {
  const fullness = createFullness(store, events)
  return {
    getVerifyToken: async (request) => (await tokenService.getToken(request)).token,
    verifyDuplicate: createVerifyDuplicate({ ...services, fullness, stopwatch: () => performance.now() }),
    resetCollection: createResetCollection(services.access),
  }
}
