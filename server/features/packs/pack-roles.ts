import { type Ability, can, type Pack } from '#models/rules/packs.ts'
import type { Role } from '#shared/hosts.ts'

/** The abilities that a role's networks need besides finding and recognising a face. */
const needs: Partial<Record<Role, Ability>> = {
  demographic: 'demographic',
  'emotion-attention': 'expression',
  liveness: 'liveness',
}

export function hasNetworksFor(pack: Pack, role: Role): boolean {
  const needed = needs[role]
  return needed === undefined || can(pack, needed)
}
