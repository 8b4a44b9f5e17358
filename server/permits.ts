import type { Caller } from './accounts/caller.ts'
import { answerFor } from './accounts/step-up.ts'
import { sessionConsequences } from './configuration/link-consequences.ts'
import type { PermitsOf } from './handlers.ts'
import type { Services } from './wiring.ts'

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
