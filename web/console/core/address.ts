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
  /** `unknown` if the console lacks the page. In that case, the parts are the whole path. */
  readonly page: PageName | 'unknown'
  /** The decoded path below the page: a tab or an id. */
  readonly parts: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

const root = '/console'

/** How many parts an address has below each page, at most. */
const mostParts: Readonly<Record<PageName, number>> = {
  overview: 0,
  sessions: 2,
  review: 1,
  verifications: 1,
  collections: 1,
  kiosks: 0,
  developers: 2,
  settings: 1,
}

/** Parses an address. Without a page it is the first page's. */
export function readAddress(pathname: string, search: string): Address {
  const path = pathname
    .slice(root.length)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  const [name = 'overview', ...parts] = path
  const query = Object.fromEntries(new URLSearchParams(search))
  const page = pages.find((one) => one === name)
  const isKnown = page !== undefined && parts.length <= mostParts[page]
  return isKnown ? { page, parts, query } : { page: 'unknown', parts: path, query }
}

/** Formats an address. Empty parts are left out, so that each view has exactly one address. */
export function writeAddress({
  page,
  parts = [],
  query = {},
}: Partial<Address> & Pick<Address, 'page'>): string {
  const below = page === 'unknown' ? parts : [page, ...parts]
  const path = [root, ...below.map(encodeURIComponent)].join('/')
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
