import type { Services } from '#server/app/wiring.ts'
import type { PermitsOf, PermittedByContent } from '#server/features/callers/handlers.ts'
import { answerFor } from '#server/features/callers/step-up.ts'
import { sessionConsequences } from '#server/features/links/link-consequences.ts'

/** The permit of each endpoint that says it has one: without it, it does not compile. */
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
