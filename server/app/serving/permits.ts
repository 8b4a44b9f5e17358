import type { Services } from '#server/app/compose.ts'
import { answerFor, type PermitsOf, type PermittedByContent } from '#server/features/callers/callers.ts'
import { sessionConsequences } from '#server/features/links/links.ts'

/** The permit of each endpoint that declares one; a missing one does not compile. */
export function permitsOf(services: Services): PermitsOf<PermittedByContent> {
  return {
    ...services.verifications.permits,
    ...services.accountService.permits,
    ...services.kiosks.permits,
    createSession: async ({ body, caller }) => {
      if (caller.via === 'operator') answerFor(caller, sessionConsequences(body))
    },
  }
}
