/** The virtual time of each account: milliseconds of work that were done for it, as far as they decide whose turn it is. */
export interface VirtualTime {
  /** Somebody of the account waits: one that comes anew begins where the others are. */
  join(accountId: string): void
  begin(accountId: string): void
  end(accountId: string, work: number): void
  /** Those who wait, first of the account that has used least; of one account in the order in which they came. */
  inOrder<W extends { readonly accountId: string }>(waiting: readonly W[]): readonly W[]
}

interface Account {
  used: number
  underWay: number
  /** When its turn was last, by counting turns: of those who have used alike the one comes first that waited longest. */
  lastTurn: number
}

const mostAccounts = 10_000
/** [Note: A head start] Who comes anew is so far ahead of the others: a usual picture is done in one go, which a fair share would cut in two. */
const headStart = 200

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996), with the work measured when it is done rather than guessed: an account that comes
 * anew, or back, begins near what was used by whoever had the last turn, so that nobody saves turns up.
 */
export function createVirtualTime(): VirtualTime {
  const accounts = new Map<string, Account>()
  let reached = 0
  let turns = 0

  function accountOf(accountId: string): Account {
    const known = accounts.get(accountId)
    if (known !== undefined) return known
    if (accounts.size >= mostAccounts) forget()
    const fresh = { used: reached - headStart, underWay: 0, lastTurn: 0 }
    accounts.set(accountId, fresh)
    return fresh
  }

  /** Who is not above the others begins anew as one who is not known. */
  function forget(): void {
    for (const [accountId, { used, underWay }] of accounts)
      if (underWay === 0 && used <= reached - headStart) accounts.delete(accountId)
  }

  return {
    join(accountId) {
      const account = accountOf(accountId)
      if (account.underWay === 0) account.used = Math.max(account.used, reached - headStart)
      account.underWay++
    },
    begin(accountId) {
      const account = accountOf(accountId)
      reached = Math.max(reached, account.used)
      account.lastTurn = ++turns
    },
    end(accountId, work) {
      const account = accountOf(accountId)
      account.used += work
      account.underWay = Math.max(0, account.underWay - 1)
    },
    inOrder(waiting) {
      return [...waiting].sort((a, b) => {
        const [one, other] = [accountOf(a.accountId), accountOf(b.accountId)]
        return one.used - other.used || one.lastTurn - other.lastTurn
      })
    },
  }
}
