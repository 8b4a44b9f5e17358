import { unlessRefused } from '#web/ui/unless-refused.ts'
import type { Shelf } from './shelf.ts'

const key = 'selfsame:opening'

/**
 * The secret that this tab uses to open its link: 128 random bits that stay the same until the link is open. If an answer is
 * lost, repeating the call returns the same session, even after a reload. Without the link, the secret is useless.
 */
export interface OpeningId {
  read(): string
  /** True if the link may be open already, because the answer to an earlier request may have been lost. */
  isKept(): boolean
  /** Drops the secret once the link is open. Another link gets a new one. */
  drop(): void
}

/** Returns this tab's secret. If storage is denied, it lasts until the page is reloaded. */
export function createOpeningId(shelf: Shelf): OpeningId {
  let made: string | undefined
  const kept = () => made ?? unlessRefused(() => shelf.getItem(key)) ?? undefined
  return {
    isKept: () => kept() !== undefined,
    read() {
      made = kept() ?? newSecret()
      unlessRefused(() => shelf.setItem(key, made!))
      return made
    },
    drop() {
      made = undefined
      unlessRefused(() => shelf.removeItem(key))
    },
  }
}

function newSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
