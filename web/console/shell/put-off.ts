const place = 'console-name-later'

/** The account whose name somebody wants to give later, or null. */
export const readPutOff = (tab: Pick<Storage, 'getItem'>): string | null => tab.getItem(place)

/**
 * Puts the question for an account's name off, for as long as the tab lives. [Note: Asked again] A reload asks nobody twice; a new visit does, since
 * every visitor reads that name.
 */
export const putOff = (tab: Pick<Storage, 'setItem'>, accountId: string): void =>
  tab.setItem(place, accountId)
