import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createNonces, type Nonces } from './nonces.ts'
import { createSignatures, type Signatures } from './signatures.ts'

export type { SessionInputs, SessionSettings } from './asked.ts'
export { canonicalQuery } from './canonical-query.ts'
export { sessionConsequences } from './link-consequences.ts'
export { type ConfiguredVerification, readLink, settingsOf } from './link-inputs.ts'
export { outcomeInQuery } from './link-outcome.ts'
export type { Nonces } from './nonces.ts'
export { decodedNames, type SignedQuery } from './query-signature.ts'
export { isReserved, resultOnlyNames } from './reserved-names.ts'
export { readQuery, type Signatures } from './signatures.ts'

interface Dependencies {
  readonly store: Store
  readonly accounts: Accounts
  readonly now: Clock
}

/** Signed links: signs and validates them, and tracks used nonces. */
export function createLinks({ store, accounts, now }: Dependencies): {
  readonly signatures: Signatures
  readonly nonces: Nonces
} {
  const nonces = createNonces(store)
  return { nonces, signatures: createSignatures({ accounts, nonces, now }) }
}
