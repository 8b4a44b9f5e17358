/** The pages of the console, as they stand in its addresses. */
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

/** Where somebody is: everything that a reload or a colleague needs to see the same. */
export interface Address {
  readonly page: PageName
  /** What of the page: a tab or an id, undecoded parts of the path already decoded. */
  readonly parts: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

const root = '/console'

/** Reads an address; what is no page of the console is its first one. */
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

/** Writes an address; what is empty is left out, so that one view has one address. */
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

/** The same view with another query: a null takes a name away. */
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
