import { deliveryStates } from '#shared/contract/account/webhook.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { usePages } from '#web/console/core/use-account-data.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import type { Delivery } from '#web/console/sessions/timeline.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Badge, Empty, Maybe, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import { deliveryTone } from './delivery-tone.ts'

const pageSize = 50
const lookMilliseconds = 5000
const weekMilliseconds = 7 * 24 * 3600 * 1000

/** Loads the deliveries that match the address filters, and resends them on request. */
function useDeliveries() {
  const { words, calls, navigation, tell } = useConsole()
  const { endpointId, state: sought } = navigation.address.value.query
  const state = deliveryStates.find((one) => one === sought)
  const ofEndpoint = endpointId === undefined ? {} : { endpointId }
  const filters = { ...ofEndpoint, ...(state && { state }), limit: pageSize }
  const ask = (cursor?: string) =>
    calls.configuration.getDeliveries({ ...filters, ...(cursor && { cursor }) })
  const pages = usePages(
    ask,
    ({ deliveries: rows, nextCursor: next }) => ({ rows, next }),
    ({ deliveryId }) => deliveryId,
    [state, endpointId],
  )
  const { found, doing } = pages
  useRepeated(lookMilliseconds, found.reload)
  const { deliveries, locale } = words.value
  return {
    ...pages,
    state,
    resend: ({ deliveryId }: Delivery) =>
      doing.run(async () => {
        await calls.configuration.resendDelivery({ deliveryId })
        tell(deliveries.resent)
        found.reload()
      }),
    resendAll: () =>
      doing.run(async () => {
        const since = new Date(Date.now() - weekMilliseconds).toISOString()
        const { count: n } = await calls.configuration.resendFailed({ since, ...ofEndpoint })
        tell(count(locale, deliveries.resentCount, n))
        found.reload()
      }),
  }
}

/** Webhook deliveries with all their attempts. Each can be sent again. */
export function Deliveries() {
  const { words, navigation } = useConsole()
  const may = useMay()
  const { found, doing, state, rows, hasMore, resend, resendAll, showMore } = useDeliveries()
  const { deliveries, developers, action } = words.value
  const address = navigation.address.value
  return (
    <Section
      title={developers.tabs.deliveries}
      aside={
        <>
          <nav class="segments" aria-label={deliveries.state}>
            <Link to={withQuery(address, { state: null })} current={state === undefined}>
              {action.all}
            </Link>
            {deliveryStates.map((one) => (
              <Link key={one} to={withQuery(address, { state: one })} current={one === state}>
                {deliveries.states[one]}
              </Link>
            ))}
          </nav>
          {may('resendFailed') && <Button onPress={resendAll}>{deliveries.resendFailed}</Button>}
        </>
      }
    >
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <Empty title={deliveries.empty} advice={deliveries.emptyAdvice} />
      ) : (
        <DeliveryTable
          rows={rows}
          isBusy={found.value === undefined}
          onResend={may('resendDelivery') ? resend : undefined}
        />
      )}
      {hasMore && <Button onPress={showMore}>{action.more}</Button>}
    </Section>
  )
}

interface DeliveryTableProps {
  readonly rows: readonly Delivery[]
  readonly isBusy: boolean
  readonly onResend: ((delivery: Delivery) => void) | undefined
}

function DeliveryTable({ rows, isBusy, onResend }: DeliveryTableProps) {
  const { words } = useConsole()
  const { deliveries } = words.value
  return (
    <Table
      caption={deliveries.caption}
      rows={rows}
      rowKey={({ deliveryId }) => deliveryId}
      isBusy={isBusy}
      isDense
      columns={[
        {
          name: 'state',
          narrow: 'mark',
          head: deliveries.state,
          cell: (delivery) => (
            <Badge tone={deliveryTone(delivery)}>{deliveries.states[delivery.state]}</Badge>
          ),
        },
        { name: 'time', narrow: 'end', head: deliveries.time, cell: ({ created }) => <Time at={created} /> },
        {
          name: 'event',
          narrow: 'lead',
          head: deliveries.event,
          cell: (delivery) => <DeliveredEvent delivery={delivery} />,
        },
        {
          name: 'to',
          isElastic: true,
          head: deliveries.to,
          cell: (delivery) => <Target delivery={delivery} />,
        },
        {
          name: 'answer',
          narrow: 'rest',
          head: deliveries.answer,
          cell: (delivery) => <LastAnswer delivery={delivery} />,
        },
        {
          name: 'session',
          head: deliveries.session,
          cell: ({ verificationSessionId: id }) => <SessionLink id={id} />,
        },
        {
          name: 'do',
          narrow: 'act',
          head: deliveries.resend,
          isQuiet: true,
          cell: (delivery) =>
            onResend !== undefined &&
            delivery.state !== 'pending' && (
              <Button kind="quiet" onPress={() => onResend(delivery)}>
                {deliveries.resend}
              </Button>
            ),
        },
      ]}
    />
  )
}

function DeliveredEvent({ delivery: { event, resendOf, test, body } }: { delivery: Delivery }) {
  const { words } = useConsole()
  const { deliveries, testEvent } = words.value
  return (
    <>
      <details>
        <summary>
          <span dir="ltr">{event}</span>
        </summary>
        <code class="code" dir="ltr">
          {body}
        </code>
      </details>
      {test && <Badge tone="warn">{testEvent.badge}</Badge>}
      {resendOf !== null && <Badge tone="plain">{deliveries.resendOf}</Badge>}
    </>
  )
}

function Target({ delivery: { address, endpointId } }: { delivery: Delivery }) {
  const { words } = useConsole()
  return (
    <>
      <code dir="ltr" title={address}>
        {address}
      </code>
      {endpointId === null && <span class="small">{words.value.deliveries.ofVerification}</span>}
    </>
  )
}

function SessionLink({ id }: { id: string | null }) {
  if (id === null) return <Maybe value={null} />
  return (
    <Link to={{ page: 'sessions', parts: [id] }}>
      <code dir="ltr">{id.slice(0, 8)}</code>
    </Link>
  )
}

/** The last answer, and the number of attempts if there were several, which unfold. */
function LastAnswer({ delivery: { attempts } }: { delivery: Delivery }) {
  const { words } = useConsole()
  const { deliveries, locale } = words.value
  const textOf = ({ status, error }: Delivery['attempts'][number]) =>
    status === null ? deliveries.error[error ?? 'timeout'] : fill(deliveries.status, { status })
  const last = attempts.at(-1)
  if (last === undefined) return <Maybe value={null} />
  if (attempts.length === 1) return <>{textOf(last)}</>
  return (
    <details>
      <summary>{`${textOf(last)} (${numberFormat(locale).format(attempts.length)})`}</summary>
      <ol class="plain-list small">
        {attempts.map((attempt) => (
          <li key={attempt.time}>
            <Time at={attempt.time} /> {textOf(attempt)}
          </li>
        ))}
      </ol>
    </details>
  )
}
