import { type AccountRecordPorts, type Accounts, createAccountRecords } from './account-records.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { type AccountService, createAccountService } from './handlers.ts'
import { createLogos, type Logos } from './logos.ts'

export type { Accounts } from './account-records.ts'
export { createFramingOf, type FramedPage, type FramingOf } from './embedding.ts'
export { existing, existingAccount } from './existing-account.ts'
export { type Logos, logoPath } from './logos.ts'
export type { NewAccount } from './new-account.ts'

/** A deployment's accounts, and the actions of their admins. */
export interface AccountFeature {
  readonly accounts: Accounts
  readonly accountService: AccountService
  readonly logos: Logos
  /** Keys as stored, ignoring revocations recorded outside the store. */
  readonly storedKeys: Pick<ApiKeys, 'read'>
}

export function createAccounts(ports: AccountRecordPorts): AccountFeature {
  const { store, keyRing, now } = ports
  const accounts = createAccountRecords(ports)
  const logos = createLogos(store)
  return {
    accounts,
    accountService: createAccountService(accounts, logos),
    logos,
    storedKeys: createApiKeys(store, keyRing, now),
  }
}
