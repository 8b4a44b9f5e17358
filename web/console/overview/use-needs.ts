import type { AttentionCondition } from '#shared/contract/account/attention.ts'
import type { Notice } from '#shared/contract/console/notices.ts'
import { useConsole, useMay, useMe } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import type { LoadState } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'

const lookMilliseconds = 60_000
const most = 100

/** Everything that needs attention, and the names of what it is about. */
export interface Needs {
  readonly conditions: readonly AttentionCondition[]
  readonly waitingReviews: number
  /** Deliveries that were given up; at most a page of them is counted. */
  readonly givenUp: number
  readonly offEndpoints: number
  /** Changes that weakened or redirected a check and that this owner has not seen. */
  readonly notices: readonly Notice[]
  /** By id: addresses of endpoints, names of kiosks and verifications. */
  readonly names: ReadonlyMap<string, string>
}

/** Loads what needs attention, again every minute. Notices are for owners of live data alone. */
export function useNeeds(): LoadState<Needs> {
  const { calls } = useConsole()
  const may = useMay()
  const { role, environment } = useMe()
  const { configuration, own } = calls
  const seesNotices = role === 'owner' && environment === 'live'
  const found = useAccountData(async (): Promise<Needs> => {
    const [attention, deliveries, endpoints, kiosks, verifications, notices] = await Promise.all([
      configuration.getAttention(),
      may('getDeliveries') ? configuration.getDeliveries({ state: 'failed', limit: most }) : undefined,
      may('getWebhookEndpoints') ? configuration.getWebhookEndpoints() : undefined,
      configuration.getAllKiosks(),
      configuration.getAllVerifications(),
      seesNotices ? own.getNotices() : undefined,
    ])
    return {
      conditions: attention.conditions,
      waitingReviews: attention.waitingReviews,
      givenUp: deliveries?.deliveries.length ?? 0,
      offEndpoints: endpoints?.endpoints.filter(({ enabled }) => !enabled).length ?? 0,
      notices: notices?.notices ?? [],
      names: new Map([
        ...(endpoints?.endpoints.map(({ endpointId, url }) => [endpointId, url] as const) ?? []),
        ...kiosks.kiosks.map(({ kioskId, name }) => [kioskId, name] as const),
        ...verifications.verifications.map(({ verificationId, name }) => [verificationId, name] as const),
      ]),
    }
  })
  useRepeated(lookMilliseconds, found.reload)
  return found
}

/** The number of given-up deliveries as far as it is known, such as `100+`. */
export function givenUpText(count: number): string {
  return count >= most ? `${count}+` : String(count)
}
