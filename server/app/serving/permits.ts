import type { Services } from '#server/app/compose.ts'
import { answerFor, type Caller, type PermitsOf } from '#server/features/callers/callers.ts'
import { sessionConsequences } from '#server/features/links/links.ts'

/** A permit as the router sees it, its own types erased by the table that checked them. */
type AnyPermit = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<void>

const createSession: PermitsOf<'createSession'>['createSession'] = async ({ body, caller }) => {
  if (caller.via === 'operator') answerFor(caller, sessionConsequences(body))
}

/** What depends on more than the role of an endpoint's caller, by the endpoint's name. Every other is permitted by role and scope alone. */
export function permitsOf(services: Services): Readonly<Partial<Record<string, AnyPermit>>> {
  const permits = {
    ...services.verifications.permits,
    ...services.accountService.permits,
    ...services.kiosks.permits,
    createSession,
  }
  return permits as Record<string, unknown> as Partial<Record<string, AnyPermit>>
}
