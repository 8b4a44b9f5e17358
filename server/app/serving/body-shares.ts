import type { AnonymousCaller, Caller } from '#server/features/callers/callers.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import type { ByteBudget, Share } from '#server/platform/running/byte-budget.ts'
import { limits } from '#shared/contract/sessions/session.ts'

/** The combined share for all callers without a credential, so that they never use up the memory that accounts need. */
const shareOfStrangers = 1 / 4
/** The limit for one address without a credential. Links and codes are a few kilobytes. */
const mostBytesOfAddress = 1024 * 1024

/**
 * The shares that a caller's bytes count towards, besides the whole process. [Note: Half at most] An account may use at most
 * half, and a session or a kiosk at most its largest body, so that a single link cannot use up its account's share.
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
