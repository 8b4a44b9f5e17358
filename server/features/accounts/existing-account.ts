import type { Account } from '#server/features/callers/callers.ts'
import { Problem } from '#shared/problem.ts'
import type { Accounts } from './account-records.ts'

/** The account that a credential names. @throws {Problem} 403 if it does not exist */
export async function existingAccount(accounts: Pick<Accounts, 'find'>, accountId: string): Promise<Account> {
  return existing(await accounts.find(accountId))
}

/** Like `existingAccount`, for an account that has been looked up. */
export function existing(account: Account | undefined): Account {
  if (account === undefined) throw new Problem('forbidden', 'The account does not exist.')
  return account
}
