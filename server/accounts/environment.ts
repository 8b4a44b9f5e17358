import type { Environment } from '#shared/contract/environment.ts'
import type { Account } from './account.ts'

/** Whether an account is a live one, or the shadow in which a live one tries things out. */
export function environmentOf({ testOf }: Pick<Account, 'testOf'>): Environment {
  return testOf === undefined ? 'live' : 'test'
}
