/** What the account of a first start is called: by nobody in particular, for whoever runs the server. */
export const firstAccountName = 'My account'

/** What visitors read while an account has no name of its own: that of the house, as on a page that knows no account. */
const houseName = 'Selfsame'

/** [Note: No name is no name] Whose check it is, for visitors: the name that the first start gave would tell them nothing. */
export function nameForVisitors({
  displayName,
  name,
}: {
  displayName?: string | null
  name: string
}): string {
  return displayName ?? (name === firstAccountName ? houseName : name)
}
