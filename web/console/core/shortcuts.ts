import type { PageName } from './address.ts'

/** Action of a shortcut: `g` and a letter opens a page. */
export type Shortcut =
  | { readonly kind: 'search' }
  | { readonly kind: 'help' }
  | { readonly kind: 'go'; readonly page: PageName }

/** Letter of each page after `g`. */
export const letters: Readonly<Record<PageName, string>> = {
  overview: 'o',
  sessions: 's',
  review: 'r',
  verifications: 'v',
  collections: 'c',
  kiosks: 'k',
  developers: 'd',
  settings: 't',
}

/** How long `g` waits for the letter. */
export const waitMilliseconds = 1500

/** Action of a key after the previous one, or undefined if it has none. */
export function readShortcut(
  key: string,
  before: { key: string; at: number } | null,
  now: number,
): Shortcut | undefined {
  if (key === '/') return { kind: 'search' }
  if (key === '?') return { kind: 'help' }
  if (before?.key !== 'g' || now - before.at > waitMilliseconds) return undefined
  const found = Object.entries(letters).find(([, letter]) => letter === key)
  return found === undefined ? undefined : { kind: 'go', page: found[0] as PageName }
}

interface Pressed {
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly target: unknown
}

/** True for keys that type into a field or belong to a browser command. */
export function isWriting({ ctrlKey, metaKey, altKey, target }: Pressed): boolean {
  if (ctrlKey || metaKey || altKey) return true
  const { tagName, isContentEditable } = (target ?? {}) as { tagName?: string; isContentEditable?: boolean }
  return isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(tagName ?? '')
}
