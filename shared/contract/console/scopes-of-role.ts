import type { Scope } from '../../endpoint.ts'
import type { OperatorRole } from '../../operator-roles.ts'

/** The scopes that a role is equivalent to in handlers that check scopes. */
export const scopesOfRole: Readonly<Record<OperatorRole, readonly Scope[]>> = {
  owner: ['admin', 'configure', 'people', 'analyse', 'tokens', 'review'],
  developer: ['configure', 'people', 'analyse', 'tokens'],
  reviewer: ['review'],
  viewer: [],
}
