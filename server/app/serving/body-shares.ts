import type { AnonymousCaller, Caller } from '#server/features/callers/callers.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import type { ByteBudget, Share } from '#server/platform/running/byte-budget.ts'
import { limits } from '#shared/contract/sessions/session.ts'

/** Of all who have no credential: strangers hold little, and never what accounts need. */
const shareOfStrangers = 1 / 4
/** Of one address without a credential; links and codes are a few kilobytes. */
const mostBytesOfAddress = 1024 * 1024

/**
 * What a caller's bytes count against, besides the whole process. [Note: Half at most] An account holds at most half; a session or a kiosk no
 * more than its largest body, so that one link cannot fill what its account has.
 */
export function bodySharesOf(
  caller: Caller | Pick<AnonymousCaller, 'kind' | 'address'>,
  { mostBytes }: Pick<ByteBudget, 'mostBytes'>,
): readonly Share[] {
  if (caller.kind === 'anonymous') {
    return [
      { name: 'strangers', mostBytes: mostBytes * shareOfStrangers },
      { name: `address/${networkOf(caller.address)}`, mostBytes: mostBytesOfAddress },
    ]
  }
  const account = { name: `account/${caller.accountId}`, mostBytes: mostBytes / 2 }
  if (caller.kind === 'account') return [account]
  const own = caller.kind === 'session' ? `session/${caller.sessionId}` : `kiosk/${caller.kioskId}`
  return [account, { name: own, mostBytes: limits.bodyBytes }]
}
