import {
  createGetSessions,
  createSessionsAsListed,
} from '../../../server/features/sessions/endpoints/get-sessions.ts'
import { createSessionLists } from '../../../server/features/sessions/listing/session-lists.ts'
import { createSessionHistory } from '../../../server/features/sessions/records/session-history.ts'
import { createSessionRows } from '../../../server/features/sessions/records/session-rows.ts'
import type { KeyRing } from '../../../server/platform/crypto/key-ring.ts'
import type { Store } from '../../../server/platform/store/store.ts'

const pageSize = 20

/**
 * The get-sessions handler on a store, without a server: returns a page for an account's query. `rows` is the index, which other writers update too.
 */
export function openSessionList(
  store: Store,
  keyRing: KeyRing,
  accountId: string,
  rows = createSessionRows(store, keyRing),
) {
  const history = createSessionHistory(store, keyRing, Date.now)
  const verifications = {
    find: async (_account: string, verificationId: string) =>
      ({ verificationId, name: verificationId }) as never,
  }
  const list = createGetSessions(
    {
      accounts: { find: async () => ({ accountId }) as never },
      lists: createSessionLists(rows, history, Date.now),
      rows,
      history,
    },
    createSessionsAsListed({ rows, history, verifications }),
  )
  return (query: object) =>
    list({
      query: { limit: pageSize, order: 'newest', ...query },
      body: undefined,
      caller: { accountId } as never,
    })
}
