import type { Scope } from '../../endpoint.ts'
import type { OperatorRole } from './operator-roles.ts'

/** What a role stands for where a handler asks what the credential may: as whose keys somebody acts. */
export const scopesOfRole: Readonly<Record<OperatorRole, readonly Scope[]>> = {
  owner: ['admin', 'configure', 'people', 'analyse', 'tokens', 'review'],
  developer: ['configure', 'people', 'analyse', 'tokens'],
  reviewer: ['review'],
  viewer: [],
}
