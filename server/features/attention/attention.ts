import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { AttentionLimits } from '#shared/contract/account/attention.ts'
import { Problem } from '#shared/problem.ts'
import { createAnnounce } from './announce.ts'
import { createAttentionStore } from './attention-store.ts'
import { reportedCondition } from './condition.ts'
import { type ConditionSources, createFindConditions, type StoreFill } from './find-conditions.ts'

export type { StoreFill } from './find-conditions.ts'

/** Conditions that need attention, for callers and for endpoints. */
export interface Attention {
  readonly handlers: HandlersOf<
    'configuration',
    'getAttention' | 'updateAttentionLimits' | 'confirmAttention'
  >
  /**
   * Looks at every account and sends what has begun or ended. Called in every sweep; does something once a minute.
   * @throws the first account's error, after all accounts
   */
  announce(): Promise<void>
}

interface Dependencies
  extends Pick<ConditionSources, 'endpoints' | 'endpointHealths' | 'waitingReviews' | 'kiosks'> {
  readonly store: Store
  readonly accounts: Pick<Accounts, 'list' | 'findByPurpose'>
  readonly verifications: Pick<Verifications, 'weakened' | 'outgrown' | 'find'>
  readonly events: Pick<Events, 'prepare' | 'receivers'>
  /** Absent if the process does not know its store's limits. */
  readonly storeFill?: (() => Promise<StoreFill>) | undefined
  readonly now: Clock
}

const announcedEveryMilliseconds = 60_000
/** Counting faces takes a while in large deployments. */
const countedEveryMilliseconds = 6 * 3600_000

export function createAttention(services: Dependencies): Attention {
  const { store, accounts, verifications, events, now } = services
  const records = createAttentionStore(store)
  const outgrown = createOutgrownCount(services)
  const findConditions = createFindConditions({
    ...services,
    records,
    outgrown: outgrown.last,
    storeFillFor: createStoreFillFor(services),
  })
  const announceTo = createAnnounce({ store, records, findConditions, events, now })
  let announcedAt = 0

  return {
    handlers: {
      async getAttention({ caller: { accountId } }) {
        const [conditions, waiting, limits] = await Promise.all([
          findConditions(accountId),
          services.waitingReviews(accountId),
          records.limitsOf(accountId),
        ])
        return { conditions: conditions.map(reportedCondition), waitingReviews: waiting.count, limits }
      },
      async updateAttentionLimits({ body, caller: { accountId } }) {
        return { limits: await records.changeLimits(accountId, body as Partial<AttentionLimits>) }
      },
      async confirmAttention({ body: { verificationId }, caller: { accountId } }) {
        if ((await verifications.find(accountId, verificationId)) === undefined)
          throw new Problem('not_found', 'The verification does not exist.')
        await records.confirm(accountId, verificationId, now())
        return {}
      },
    },
    async announce() {
      if (now() - announcedAt < announcedEveryMilliseconds) return
      announcedAt = now()
      await outgrown.look()
      const failures: unknown[] = []
      for (const { accountId } of await accounts.list())
        await announceTo(accountId).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** The outgrown collections of all accounts, counted now and then. */
function createOutgrownCount({ verifications, now }: Pick<Dependencies, 'verifications' | 'now'>) {
  let last: Awaited<ReturnType<Verifications['outgrown']>> = []
  let countedAt = Number.NEGATIVE_INFINITY
  return {
    last: () => last,
    async look(): Promise<void> {
      if (now() - countedAt < countedEveryMilliseconds) return
      countedAt = now()
      last = await verifications.outgrown()
    },
  }
}

/** [Note: The operator's own account] The account of the first start belongs to whoever runs the deployment. */
function createStoreFillFor({ accounts, storeFill }: Pick<Dependencies, 'accounts' | 'storeFill'>) {
  return async (accountId: string): Promise<StoreFill | undefined> => {
    if (storeFill === undefined) return undefined
    const first = await accounts.findByPurpose('first')
    return first?.accountId === accountId ? storeFill() : undefined
  }
}
