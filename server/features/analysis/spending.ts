/** How much work has been done for each account, in milliseconds, as far as it decides whose turn it is. */
export interface Spending {
  /** Somebody of the account waits: one that comes anew begins where the others are. */
  join(accountId: string): void
  begin(accountId: string): void
  end(accountId: string, work: number): void
  /** Those who wait, first of the account that has spent least; of one account in the order in which they came. */
  inTurn<W extends { readonly accountId: string }>(waiting: readonly W[]): readonly W[]
}

interface Account {
  spent: number
  underWay: number
  /** When its turn was last, by counting turns: of those who have spent alike the one comes first that waited longest. */
  lastTurn: number
}

const mostAccounts = 10_000
/** [Note: A head start] Who comes anew is so far ahead of the others: a usual picture is done in one go, which a fair share would cut in two. */
const headStart = 200

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996), with the work measured when it is done rather than guessed: an account that comes
 * anew, or back, begins near what was spent by whoever had the last turn, so that nobody saves turns up.
 */
export function createSpending(): Spending {
  const accounts = new Map<string, Account>()
  let reached = 0
  let turns = 0

  function accountOf(accountId: string): Account {
    const known = accounts.get(accountId)
    if (known !== undefined) return known
    if (accounts.size >= mostAccounts) forget()
    const fresh = { spent: reached - headStart, underWay: 0, lastTurn: 0 }
    accounts.set(accountId, fresh)
    return fresh
  }

  /** Who is not above the others begins anew as one who is not known. */
  function forget(): void {
    for (const [accountId, { spent, underWay }] of accounts)
      if (underWay === 0 && spent <= reached - headStart) accounts.delete(accountId)
  }

  return {
    join(accountId) {
      const account = accountOf(accountId)
      if (account.underWay === 0) account.spent = Math.max(account.spent, reached - headStart)
      account.underWay++
    },
    begin(accountId) {
      const account = accountOf(accountId)
      reached = Math.max(reached, account.spent)
      account.lastTurn = ++turns
    },
    end(accountId, work) {
      const account = accountOf(accountId)
      account.spent += work
      account.underWay = Math.max(0, account.underWay - 1)
    },
    inTurn(waiting) {
      return [...waiting].sort((a, b) => {
        const [one, other] = [accountOf(a.accountId), accountOf(b.accountId)]
        return one.spent - other.spent || one.lastTurn - other.lastTurn
      })
    },
  }
}
