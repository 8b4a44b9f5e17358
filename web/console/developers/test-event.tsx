import { useState } from 'preact/hooks'
import type * as v from 'valibot'
import { type AccountEventName, accountEvents } from '#shared/contract/account/event.ts'
import type { webhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { SelectField } from '#web/console/ui/field.tsx'

interface TestEventProps {
  readonly endpoint: v.InferOutput<typeof webhookEndpoint>
  readonly onClose: () => void
}

/** Sends a test event to an endpoint, then opens the delivery with the endpoint's answer. */
export function TestEvent({ endpoint: { endpointId, url }, onClose }: TestEventProps) {
  const { words, calls, navigation, tell } = useConsole()
  const [event, setEvent] = useState<AccountEventName>('VerificationCompleted')
  const { testEvent, endpoints } = words.value
  return (
    <Confirm
      title={testEvent.title}
      verb={testEvent.send}
      onClose={onClose}
      onConfirm={async () => {
        await calls.configuration.sendTestEvent({ endpointId, event })
        tell(testEvent.sent)
        navigation.go({ page: 'developers', parts: ['deliveries'], query: { endpointId } })
      }}
    >
      <p>
        <code dir="ltr">{url}</code>
      </p>
      <p>{testEvent.lead}</p>
      <SelectField
        label={endpoints.events}
        value={event}
        options={accountEvents.map((one) => [one, one] as const)}
        onChange={setEvent}
        at="event"
      />
    </Confirm>
  )
}
