import { Problem } from '#shared/problem.ts'

/** Limits concurrency, both in total and per account. */
export interface Places {
  /**
   * Runs the work in one of the account's places, and frees the place however the work ends.
   * @throws {Problem} overloaded if no place is free, in total or for the account
   */
  within<T>(accountId: string, work: () => Promise<T>): Promise<T>
}

/** [Note: Half at most] One account may occupy at most half of the places, so that another account always finds one. */
export function createPlaces(most: number): Places {
  const mostOfAccount = Math.max(1, Math.floor(most / 2))
  const taken = new Map<string, number>()
  let takenInAll = 0

  function take(accountId: string): void {
    const own = taken.get(accountId) ?? 0
    if (takenInAll >= most || own >= mostOfAccount) throw busy()
    taken.set(accountId, own + 1)
    takenInAll++
  }

  function free(accountId: string): void {
    const left = (taken.get(accountId) ?? 1) - 1
    if (left === 0) taken.delete(accountId)
    else taken.set(accountId, left)
    takenInAll--
  }

  return {
    async within(accountId, work) {
      take(accountId)
      try {
        return await work()
      } finally {
        free(accountId)
      }
    },
  }
}

export function busy(): Problem {
  return new Problem('overloaded', 'The server is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}
