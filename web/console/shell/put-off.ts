import { unlessRefused } from '#web/ui/unless-refused.ts'

const place = 'console-name-later'

/** The account whose name somebody wants to give later, or null. */
export function readPutOff(tab: Pick<Storage, 'getItem'>): string | null {
  return unlessRefused(() => tab.getItem(place)) ?? null
}

/**
 * Puts the question for an account's name off, for as long as the tab lives and its browser keeps anything. [Note: Asked again] A reload asks nobody twice; a new visit does, since
 * every visitor reads that name.
 */
export function putOff(tab: Pick<Storage, 'setItem'>, accountId: string): void {
  unlessRefused(() => tab.setItem(place, accountId))
}
