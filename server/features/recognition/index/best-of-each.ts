import { canonicalIdentity } from '#shared/identity/identity-text.ts'

/** The first face of each person. Faces without an external ID all remain. */
export function bestOfEach<M extends { readonly face: { readonly externalId: string | null } }>(
  ranked: readonly M[],
): M[] {
  const persons = new Set<string>()
  return ranked.filter(({ face: { externalId } }) => {
    if (externalId === null) return true
    const person = canonicalIdentity(externalId)
    const isFirst = !persons.has(person)
    persons.add(person)
    return isFirst
  })
}
