import { type Ability, can, type Pack } from '#models/rules/packs.ts'
import type { Role } from '#shared/hosts.ts'

/** What the networks of a role must be able to do, besides finding a face and recognising it. */
const needs: Partial<Record<Role, Ability>> = {
  demographic: 'demographic',
  'emotion-attention': 'expression',
  liveness: 'liveness',
}

export function hasNetworksFor(pack: Pack, role: Role): boolean {
  const needed = needs[role]
  return needed === undefined || can(pack, needed)
}
