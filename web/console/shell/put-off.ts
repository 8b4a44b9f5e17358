const place = 'console-name-later'

/** The account whose name somebody wants to give later, or null. */
export function readPutOff(tab: Pick<Storage, 'getItem'>): string | null {
  try {
    return tab.getItem(place)
  } catch {
    return null
  }
}

/**
 * Puts the question for an account's name off, for as long as the tab lives. [Note: Asked again] A reload asks nobody twice; a new visit does, since
 * every visitor reads that name.
 */
export function putOff(tab: Pick<Storage, 'setItem'>, accountId: string): void {
  try {
    tab.setItem(place, accountId)
  } catch {
    // A browser that keeps nothing asks again after a reload.
  }
}
