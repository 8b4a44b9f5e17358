/** Name of the account that the first start creates. */
export const firstAccountName = 'My account'

/** Name that visitors see until the account has a name; also shown on pages without an account. */
const houseName = 'Selfsame'

/** [Note: No name is no name] The name that visitors see. The default name of the first account would mean nothing to them. */
export function nameForVisitors({
  displayName,
  name,
}: {
  displayName?: string | null
  name: string
}): string {
  return displayName ?? (name === firstAccountName ? houseName : name)
}
