/** The console's pages, by the names they have in addresses. */
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

/** A console view, with everything that a reload or a colleague needs in order to see the same thing. */
export interface Address {
  readonly page: PageName
  /** The decoded path below the page: a tab or an id. */
  readonly parts: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

const root = '/console'

/** Parses an address. Unknown pages fall back to the first page. */
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

/** Formats an address. Empty parts are left out, so that each view has exactly one address. */
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

/** Returns the same view with query changes. A null value removes the parameter. */
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
