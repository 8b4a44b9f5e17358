/** The name of the account that is created on first start. */
export const firstAccountName = 'My account'

/** The name shown to visitors until the account has one, and on pages that do not belong to an account. */
const houseName = 'Selfsame'

/** [Note: No name is no name] The name shown to visitors. The first account's default name would mean nothing to them. */
export function nameForVisitors({
  displayName,
  name,
}: {
  displayName?: string | null
  name: string
}): string {
  return displayName ?? (name === firstAccountName ? houseName : name)
}
