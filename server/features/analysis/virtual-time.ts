/** Each account's virtual time: the milliseconds of work done for it that determine whose turn it is. */
export interface VirtualTime {
  /** Runs when the account has a waiting picture. A new account starts level with the others. */
  join(accountId: string): void
  begin(accountId: string): void
  end(accountId: string, work: number): void
  /** Sorts waiting pictures by account, least use first. Pictures in the same account stay in order of arrival. */
  inOrder<W extends { readonly accountId: string }>(waiting: readonly W[]): readonly W[]
}

interface Account {
  used: number
  underWay: number
  /** The counter at its last turn. Among accounts with equal use, the one that has waited longest comes first. */
  lastTurn: number
}

const mostAccounts = 10_000
/**
 * [Note: A head start] A new account is ahead of the others by this much, so that a typical picture is finished in one go.
 * A strictly fair share would interrupt it.
 */
const headStart = 200

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996), with work measured afterwards rather than estimated. An account that
 * is new, or returns, starts near the use of the account that had the last turn, so that idle time cannot be saved up.
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

  /** An account that is not ahead of the others is forgotten, because a new one would start at the same point. */
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
