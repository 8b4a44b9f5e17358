import { unlessRefused } from '#web/ui/unless-refused.ts'

const place = 'console-name-later'

/** The account whose name the person wants to set later, or null. */
export function readPutOff(tab: Pick<Storage, 'getItem'>): string | null {
  return unlessRefused(() => tab.getItem(place)) ?? null
}

/**
 * Postpones asking for the account's name until the tab is closed, if the browser can store that. [Note: Asked again] A reload does not
 * ask again, but the next visit does, because every visitor sees the name.
 */
export function putOff(tab: Pick<Storage, 'setItem'>, accountId: string): void {
  unlessRefused(() => tab.setItem(place, accountId))
}
