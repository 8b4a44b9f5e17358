import type { PageName } from './address.ts'

/** A shortcut's action. `g` followed by a letter opens a page. */
export type Shortcut =
  | { readonly kind: 'search' }
  | { readonly kind: 'help' }
  | { readonly kind: 'go'; readonly page: PageName }

/** The letter that opens each page after `g`. */
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

/** How long to wait for the letter after `g`. */
export const waitMilliseconds = 1500

/** The action for a key, given the previous one; undefined if it does nothing. */
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

interface KeyPress {
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly target: unknown
}

/** True for keys that are typed into a field or belong to a browser command. */
export function isWriting({ ctrlKey, metaKey, altKey, target }: KeyPress): boolean {
  if (ctrlKey || metaKey || altKey) return true
  const { tagName, isContentEditable } = (target ?? {}) as { tagName?: string; isContentEditable?: boolean }
  return isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(tagName ?? '')
}
