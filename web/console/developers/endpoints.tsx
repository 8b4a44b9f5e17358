import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AccountEventName, accountEvents } from '#shared/contract/account/event.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { CheckField, FieldGroup, TextField } from '#web/console/ui/field.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, Maybe, Secret, Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { type Endpoint, EndpointHealth, EndpointState } from './endpoint-health.tsx'
import { TestEvent } from './test-event.tsx'

/** The account's webhook endpoints. */
export function Endpoints() {
  const { words, calls } = useConsole()
  const may = useMay()
  const [edited, setEdited] = useState<Endpoint | 'new' | null>(null)
  const [removed, setRemoved] = useState<Endpoint | null>(null)
  const [tried, setTried] = useState<Endpoint | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const found = useAccountData(() => calls.configuration.getWebhookEndpoints())
  const doing = useDoing()
  const { endpoints, developers } = words.value
  const rows = found.value?.endpoints ?? []
  const change = ({ endpointId, enabled }: Endpoint) =>
    doing.run(async () => {
      await calls.configuration.updateWebhookEndpoint({ endpointId, enabled: !enabled })
      found.reload()
    })
  const uses = { onTry: setTried, onEdit: setEdited, onSwitch: change, onRemove: setRemoved }
  const actions = (endpoint: Endpoint) => <EndpointActions endpoint={endpoint} {...uses} />
  return (
    <Section
      title={developers.tabs.endpoints}
      aside={
        may('createWebhookEndpoint') && (
          <Button kind="primary" onPress={() => setEdited('new')}>
            {endpoints.new}
          </Button>
        )
      }
    >
      {secret !== null && <Secret value={secret} label={endpoints.secret} />}
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <Empty title={endpoints.empty} advice={endpoints.emptyAdvice} />
      ) : (
        <EndpointTable rows={rows} isBusy={found.isLoading} actions={actions} />
      )}
      {edited !== null && (
        <EndpointForm
          endpoint={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(null)}
          onSaved={(made) => {
            setSecret(made)
            found.reload()
          }}
        />
      )}
      {tried !== null && <TestEvent endpoint={tried} onClose={() => setTried(null)} />}
      {removed !== null && (
        <Removal endpoint={removed} onClose={() => setRemoved(null)} onRemoved={found.reload} />
      )}
    </Section>
  )
}

interface EndpointActionsProps {
  readonly endpoint: Endpoint
  readonly onTry: (endpoint: Endpoint) => void
  readonly onEdit: (endpoint: Endpoint) => void
  readonly onSwitch: (endpoint: Endpoint) => void
  readonly onRemove: (endpoint: Endpoint) => void
}

function EndpointActions({ endpoint, onTry, onEdit, onSwitch, onRemove }: EndpointActionsProps) {
  const { words } = useConsole()
  const may = useMay()
  const { endpoints, testEvent, action } = words.value
  const { endpointId, url, enabled } = endpoint
  const button = (label: string, act: (endpoint: Endpoint) => void, kind: 'quiet' | 'danger' = 'quiet') => (
    <Button kind={kind} label={`${label}: ${url}`} onPress={() => act(endpoint)}>
      {label}
    </Button>
  )
  return (
    <RowMenu name={url}>
      <Link to={{ page: 'developers', parts: ['deliveries'], query: { endpointId } }} class="press quiet">
        {endpoints.deliveries}
      </Link>
      {enabled && may('sendTestEvent') && button(testEvent.title, onTry)}
      {may('updateWebhookEndpoint') && (
        <>
          {button(action.edit, onEdit)}
          {button(enabled ? endpoints.switchOff : endpoints.switchOn, onSwitch)}
          {button(action.remove, onRemove, 'danger')}
        </>
      )}
    </RowMenu>
  )
}

interface RemovalProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
  readonly onRemoved: () => void
}

function Removal({ endpoint: { endpointId, url }, onClose, onRemoved }: RemovalProps) {
  const { words, calls } = useConsole()
  const { endpoints, action } = words.value
  return (
    <Confirm
      title={endpoints.removeAsk}
      verb={action.remove}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await calls.configuration.deleteWebhookEndpoint({ endpointId })
        onRemoved()
      }}
    >
      <p>
        <code dir="ltr">{url}</code>
      </p>
      <p>{endpoints.removeLead}</p>
    </Confirm>
  )
}

interface EndpointTableProps {
  readonly rows: readonly Endpoint[]
  readonly isBusy: boolean
  readonly actions: (endpoint: Endpoint) => ComponentChildren
}

function EndpointTable({ rows, isBusy, actions }: EndpointTableProps) {
  const { words } = useConsole()
  const { endpoints, deliveries, action } = words.value
  return (
    <Table
      caption={endpoints.caption}
      rows={rows}
      rowKey={({ endpointId }) => endpointId}
      isBusy={isBusy}
      columns={[
        { name: 'url', head: endpoints.url, cell: ({ url }) => <code dir="ltr">{url}</code> },
        {
          name: 'state',
          head: endpoints.state,
          cell: (endpoint) => <EndpointState endpoint={endpoint} />,
        },
        {
          name: 'health',
          head: deliveries.answer,
          cell: (endpoint) => <EndpointHealth endpoint={endpoint} />,
        },
        {
          name: 'events',
          head: endpoints.events,
          cell: ({ events }) => <span dir="ltr">{events.join(', ')}</span>,
        },
        {
          name: 'description',
          head: endpoints.description,
          cell: ({ description }) => <Maybe value={description} />,
        },
        { name: 'do', head: action.edit, isQuiet: true, cell: actions },
      ]}
    />
  )
}

interface EndpointFormProps {
  readonly endpoint: Endpoint | undefined
  readonly onClose: () => void
  /** Receives a new endpoint's secret; null in all other cases. */
  readonly onSaved: (secret: string | null) => void
}

function EndpointForm({ endpoint, onClose, onSaved }: EndpointFormProps) {
  const { words, calls } = useConsole()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<readonly AccountEventName[]>(
    endpoint?.events ?? ['VerificationCompleted'],
  )
  const { endpoints, action } = words.value
  const save = async () => {
    const about = description.trim()
    if (endpoint === undefined) {
      const body = { url, events: [...events], ...(about === '' ? {} : { description: about }) }
      onSaved((await calls.configuration.createWebhookEndpoint(body)).secret)
    } else {
      const { endpointId } = endpoint
      const body = { endpointId, url, events: [...events], description: about === '' ? null : about }
      await calls.configuration.updateWebhookEndpoint(body)
      onSaved(null)
    }
  }
  return (
    <Confirm
      title={endpoint === undefined ? endpoints.new : action.edit}
      verb={endpoint === undefined ? action.create : action.save}
      onClose={onClose}
      onConfirm={save}
    >
      <TextField
        label={endpoints.url}
        hint={words.value.config.addressHint}
        value={url}
        onInput={setUrl}
        at="url"
        isCode
        autoFocus
      />
      <TextField
        label={endpoints.description}
        value={description}
        onInput={setDescription}
        maxLength={200}
        at="description"
      />
      <FieldGroup legend={endpoints.events} at="events">
        {accountEvents.map((event) => (
          <CheckField
            key={event}
            label={event}
            checked={events.includes(event)}
            onChange={(isOn) => setEvents(isOn ? [...events, event] : events.filter((one) => one !== event))}
          />
        ))}
      </FieldGroup>
    </Confirm>
  )
}
