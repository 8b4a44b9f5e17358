import { isSameIdentity } from '#shared/identity/identity-text.ts'

/** Restricts a search to one external ID's faces, or to those of all others. */
export interface PersonFilter {
  readonly externalId: string
  readonly is: boolean
}

/** False for a face without an external ID. */
export function passesFilter(externalId: string | null, filter: PersonFilter): boolean {
  return externalId !== null && isSameIdentity(externalId, filter.externalId) === filter.is
}
