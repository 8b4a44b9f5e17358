import type { Guard, Store, Write } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'

/** A used nonce is kept a little longer than its link, so that no clock can reopen it. */
const graceInSeconds = 60

export interface Nonces {
  isUsed(accountId: string, nonce: string): Promise<boolean>
  /** For the commit that opens the session: it happens only if nobody used the nonce before. */
  consume(accountId: string, nonce: string, secondsLeft: number): { write: Write; guard: Guard }
}

/** [Note: Nonces are consumed once] in the very commit that opens the session, never before and never after. */
export function createNonces(store: Store): Nonces {
  const table = createTable<true>(store, 'nonce')
  return {
    isUsed: async (accountId, nonce) => (await table.get(accountId, nonce)) !== undefined,
    consume: (accountId, nonce, secondsLeft) => ({
      write: table.write(accountId, nonce, true, Math.max(0, secondsLeft) + graceInSeconds),
      guard: table.absent(accountId, nonce),
    }),
  }
}
