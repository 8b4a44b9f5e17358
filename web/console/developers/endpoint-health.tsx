import type * as v from 'valibot'
import type { webhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { exactTime } from '#web/console/core/times.ts'
import { Badge, Maybe, Time } from '#web/console/ui/pieces.tsx'
import { fill } from '#web/wording/fill.ts'

export type Endpoint = v.InferOutput<typeof webhookEndpoint>

/** An endpoint's state: on or off, and since when it fails. */
export function EndpointState({ endpoint: { enabled, failingSince } }: { endpoint: Endpoint }) {
  const { words } = useConsole()
  const { endpoints, locale } = words.value
  return (
    <>
      <Badge tone={enabled ? (failingSince === null ? 'good' : 'warn') : 'bad'}>
        {enabled ? endpoints.on : endpoints.off}
      </Badge>
      {failingSince !== null && (
        <span class="small">
          {fill(endpoints.failing, { time: exactTime(Date.parse(failingSince), locale) })}
        </span>
      )}
    </>
  )
}

/** The last answer, and how many attempts of the last hour were taken. */
export function EndpointHealth({ endpoint: { lastAnswer, lastHour } }: { endpoint: Endpoint }) {
  const { words } = useConsole()
  const { endpoints, deliveries } = words.value
  if (lastAnswer === null) return <Maybe value={null} />
  const { status, error, time } = lastAnswer
  const answer = status === null ? deliveries.error[error ?? 'timeout'] : fill(deliveries.status, { status })
  return (
    <>
      {answer}
      <span class="small">
        <Time at={time} />
      </span>
      {lastHour.attempts > 0 && (
        <span class="small">{fill(endpoints.lastHour, { n: lastHour.taken, all: lastHour.attempts })}</span>
      )}
    </>
  )
}
