import type { Environment } from '#shared/contract/environment.ts'
import type { Account, FindsAccounts } from './account.ts'

/** Whether an account is a live one, or the shadow in which a live one tries things out. */
export function environmentOf({ testOf }: Pick<Account, 'testOf'>): Environment {
  return testOf === undefined ? 'live' : 'test'
}

/** By the account's id; undefined for one that is not known. */
export function createEnvironmentOf(accounts: FindsAccounts) {
  return async (accountId: string): Promise<Environment | undefined> => {
    const account = await accounts.find(accountId)
    return account && environmentOf(account)
  }
}
