import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import type { LoadState } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Link } from '#web/console/ui/link.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { count } from '#web/wording/fill.ts'
import { isSilent } from './attention.ts'

const lookMilliseconds = 60_000
const most = 100

interface WaitingCounts {
  readonly deliveries: number
  readonly endpoints: number
  readonly kiosks: number
  readonly review: number
}

/** Counts the items that need attention, and refreshes the count regularly. */
export function useNeeds(): LoadState<WaitingCounts> {
  const { calls } = useConsole()
  const may = useMay()
  const { configuration } = calls
  const found = useAccountData(async () => {
    const [deliveries, endpoints, kiosks, failed] = await Promise.all([
      may('getDeliveries') ? configuration.getDeliveries({ state: 'failed', limit: most }) : undefined,
      may('getWebhookEndpoints') ? configuration.getWebhookEndpoints() : undefined,
      configuration.getAllKiosks(),
      configuration.getSessions({ verificationResult: 'Fail', review: 'waiting', limit: most }),
    ])
    return {
      deliveries: deliveries?.deliveries.length ?? 0,
      endpoints: endpoints?.endpoints.filter(({ enabled }) => !enabled).length ?? 0,
      kiosks: kiosks.kiosks.filter((kiosk) => isSilent(kiosk, Date.now())).length,
      review: failed.sessions.length,
    }
  })
  useRepeated(lookMilliseconds, found.reload)
  return found
}

/** Links to the items that need attention. */
export function Needs({ found }: { found: LoadState<WaitingCounts> }) {
  const { words } = useConsole()
  const { overview, locale } = words.value
  const { value } = found
  const needs =
    value === undefined
      ? []
      : ([
          [
            value.deliveries,
            overview.failedDeliveries,
            { page: 'developers', parts: ['deliveries'], query: { state: 'failed' } },
          ],
          [value.endpoints, overview.offEndpoints, { page: 'developers', parts: ['endpoints'] }],
          [value.kiosks, overview.silentKiosks, { page: 'kiosks' }],
          [value.review, overview.toReview, { page: 'review' }],
        ] as const)
  const pressing = needs.filter(([n]) => n > 0)
  return (
    <section class="needs-line" aria-label={overview.needs}>
      <h2>{overview.needs}</h2>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <ul class="needs" aria-busy={value === undefined}>
        {pressing.map(([n, phrase, to]) => (
          <li key={to.page + n}>
            <Link to={to}>
              {n === most ? count(locale, phrase, n).replace(String(n), `${n}+`) : count(locale, phrase, n)}
            </Link>
          </li>
        ))}
        {value !== undefined && pressing.length === 0 && <li class="calm">{overview.nothingNeeds}</li>}
      </ul>
    </section>
  )
}
