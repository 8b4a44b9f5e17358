/** The pages of the console, by their names in addresses. */
export const pages = [
  'overview',
  'sessions',
  'review',
  'verifications',
  'collections',
  'kiosks',
  'developers',
  'settings',
] as const
export type PageName = (typeof pages)[number]

/** A view of the console with everything that a reload or a colleague needs to see the same. */
export interface Address {
  readonly page: PageName
  /** Path below the page: a tab or an id, decoded. */
  readonly parts: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

const root = '/console'

/** Parses an address. Unknown pages lead to the first page. */
export function readAddress(pathname: string, search: string): Address {
  const [name = '', ...parts] = pathname
    .slice(root.length)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  const page = pages.find((one) => one === name) ?? 'overview'
  return {
    page,
    parts: page === name ? parts : [],
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

/** Formats an address. Empty parts are left out, so that each view has one address. */
export function writeAddress({
  page,
  parts = [],
  query = {},
}: Partial<Address> & { page: PageName }): string {
  const path = [root, page, ...parts.map(encodeURIComponent)].join('/')
  const kept = Object.entries(query).filter(([, value]) => value !== '')
  const search = new URLSearchParams(kept).toString()
  return search === '' ? path : `${path}?${search}`
}

/** The same view with a changed query; null removes a name. */
export function withQuery(address: Address, changes: Readonly<Record<string, string | null>>): Address {
  const query = { ...address.query }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') delete query[name]
    else query[name] = value
  }
  return { ...address, query }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
