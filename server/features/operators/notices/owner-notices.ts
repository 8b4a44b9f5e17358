import { randomUUID } from 'node:crypto'
import type { Audit, Call } from '#server/features/audit/audit.ts'
import { type AccountCaller, authorOf, isLive } from '#server/features/callers/callers.ts'
import type { ConsoleHandlers } from '#server/features/operators/console-caller.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { Consequence } from '#shared/consequences.ts'
import { type Notice, noticeLimits } from '#shared/contract/console/notices.ts'
import type { Endpoint } from '#shared/endpoint.ts'

type Handle = (call: Call) => Promise<unknown>

/** Notices to an account's owners in the console. */
export interface OwnerNotices {
  /** Wraps a handler to notify the owners of its consequences. If the notice cannot be written, this is reported but the call succeeds. */
  watch(name: string, endpoint: Endpoint, handler: Handle): Handle
  readonly handlers: ConsoleHandlers<'getNotices' | 'seeNotices'>
}

interface Dependencies {
  readonly store: Store
  readonly audit: Pick<Audit, 'note'>
  readonly onFailure: (error: unknown) => void
  readonly now: Clock
}

const keptSeconds = noticeLimits.keptDays * 24 * 3600

/**
 * [Note: Owners are notified] Owners are notified of consequences for live data, whoever caused them. This includes their own
 * actions, which may be an intruder's.
 */
export function createOwnerNotices({ store, audit, onFailure, now }: Dependencies): OwnerNotices {
  const notices = createTable<Notice>(store, 'owner-notice')
  /** The time up to which an owner has seen notices, in milliseconds since 1970. */
  const seen = createTable<number>(store, 'owner-notice-seen')

  async function tell(name: string, endpoint: Endpoint, call: Call, caller: AccountCaller, result: unknown) {
    const { consequences = [], accountId } = caller
    if (consequences.length === 0 || !isLive(caller)) return
    const { verificationId } = { ...Object(call.query), ...Object(call.body), ...Object(result) }
    const notice: Notice = {
      noticeId: randomUUID(),
      time: new Date(now()).toISOString(),
      operation: name,
      by: authorOf(caller),
      consequences: [...consequences],
      verificationId: typeof verificationId === 'string' ? verificationId : null,
    }
    await notices.put(accountId, notice.noticeId, notice, keptSeconds)
    if (endpoint.audit === 'recorded' || caller.via !== 'operator') return
    const by = { operatorId: caller.keyId, name: caller.operatorName ?? '' }
    await audit.note(accountId, name, by, { consequences: consequences.join(' ') })
  }

  return {
    watch: (name, endpoint, handler) => async (call) => {
      const { caller } = call
      if (caller.kind !== 'account') return handler(call)
      const plain = consequenceOf(endpoint, call.body)
      if (plain !== undefined) caller.consequences = [plain]
      const result = await handler(call)
      await tell(name, endpoint, call, caller, result).catch(onFailure)
      return result
    },
    handlers: {
      async getNotices({ caller: { accountId, keyId } }) {
        const since = (await seen.get(accountId, keyId)) ?? 0
        const all = (await allOf(notices.list(accountId))).filter(({ time }) => Date.parse(time) > since)
        return { notices: all.sort((a, b) => (a.time < b.time ? 1 : -1)).slice(0, noticeLimits.most) }
      },
      async seeNotices({ body: { until }, caller: { accountId, keyId } }) {
        await seen.put(accountId, keyId, Math.min(Date.parse(until), now()), keptSeconds)
        return {}
      },
    },
  }
}

/**
 * A consequence that does not depend on the current state, for a permission that already requires the passkey. Undefined if
 * there is none, or the handler has to determine it.
 */
function consequenceOf({ leadsTo }: Endpoint, body: unknown): Consequence | undefined {
  if (leadsTo === 'nothing' || leadsTo === 'found') return undefined
  if (typeof leadsTo === 'string') return leadsTo
  return Object(body)[leadsTo.ifSent] === undefined ? undefined : leadsTo.consequence
}
