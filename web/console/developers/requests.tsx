import { useState } from 'preact/hooks'
import { type LoggedRequest, requestOutcomes } from '#shared/contract/account/request-log.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData, usePages } from '#web/console/core/use-account-data.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Badge, Empty, Id, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'

const pageSize = 50

/** A log of recent calls. The filters come from the address. */
export function Requests() {
  const { words, calls, navigation } = useConsole()
  const { requestId = '', outcome: sought } = navigation.address.value.query
  const outcome = requestOutcomes.find((one) => one === sought)
  const ask = (cursor?: string) =>
    calls.configuration.getRequests({
      limit: pageSize,
      ...(requestId !== '' && { requestId }),
      ...(outcome && { outcome }),
      ...(cursor !== undefined && { cursor }),
    })
  const { found, doing, rows, hasMore, showMore } = usePages(
    ask,
    ({ requests: rows, cursor: next }) => ({ rows, next }),
    ({ requestId: id, time }) => id + time,
    [requestId, outcome],
  )
  const names = useNames()
  const { requests, developers, action } = words.value
  const isFiltered = requestId !== '' || outcome !== undefined
  return (
    <Section
      title={developers.tabs.requests}
      aside={
        <>
          <Search requestId={requestId} isFailed={outcome === 'failed'} />
          <Button onPress={found.reload}>{action.refresh}</Button>
        </>
      }
    >
      <p class="small">{requests.lead}</p>
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <Empty
          title={isFiltered ? requests.none : requests.empty}
          advice={isFiltered ? requests.noneAdvice : requests.emptyAdvice}
        />
      ) : (
        <RequestTable rows={rows} isBusy={found.value === undefined} names={names} />
      )}
      {hasMore && <Button onPress={showMore}>{action.more}</Button>}
    </Section>
  )
}

/** The names of keys and people, by id. */
function useNames(): ReadonlyMap<string, string> {
  const { calls } = useConsole()
  const found = useAccountData(async () => {
    const [{ keys }, { people }] = await Promise.all([calls.configuration.getKeys(), calls.own.getPeople()])
    return new Map([
      ...keys.map(({ keyId, name }) => [keyId, name] as const),
      ...people.map(({ operatorId, name }) => [operatorId, name] as const),
    ])
  })
  return found.value ?? new Map()
}

function Search({ requestId, isFailed }: { requestId: string; isFailed: boolean }) {
  const { words, navigation } = useConsole()
  const [typed, setTyped] = useState(requestId)
  const { requests, action } = words.value
  const set = (changes: Record<string, string | null>) =>
    navigation.go(withQuery(navigation.address.value, changes))
  return (
    <>
      <Form class="inline" label={requests.search} onSubmit={() => set({ requestId: typed.trim() })}>
        <TextField label={requests.search} value={typed} onInput={setTyped} type="search" isCode />
        <Submit>{'→'}</Submit>
      </Form>
      <Button pressed={isFailed} onPress={() => set({ outcome: isFailed ? null : 'failed' })}>
        {requests.failedOnly}
      </Button>
      {(requestId !== '' || isFailed) && (
        <Button
          kind="quiet"
          onPress={() => {
            setTyped('')
            set({ requestId: null, outcome: null })
          }}
        >
          {action.clear}
        </Button>
      )}
    </>
  )
}

interface RequestTableProps {
  readonly rows: readonly LoggedRequest[]
  readonly isBusy: boolean
  readonly names: ReadonlyMap<string, string>
}

function RequestTable({ rows, isBusy, names }: RequestTableProps) {
  const { words } = useConsole()
  const { requests } = words.value
  return (
    <Table
      caption={requests.caption}
      rows={rows}
      rowKey={({ requestId, time }) => requestId + time}
      isBusy={isBusy}
      isDense
      columns={[
        { name: 'time', narrow: 'end', head: requests.time, cell: ({ time }) => <Time at={time} /> },
        {
          name: 'call',
          narrow: 'lead',
          isElastic: true,
          head: requests.call,
          cell: (request) => <Call request={request} />,
        },
        {
          name: 'status',
          narrow: 'mark',
          head: requests.status,
          cell: (request) => <Status request={request} />,
        },
        {
          name: 'took',
          head: requests.took,
          isNumber: true,
          cell: ({ durationInMilliseconds: n }) => fill(requests.milliseconds, { n: Math.round(n) }),
        },
        {
          name: 'by',
          narrow: 'rest',
          head: requests.by,
          cell: (request) => <By request={request} names={names} />,
        },
        { name: 'id', head: requests.id, cell: ({ requestId }) => <Id value={requestId} isShort /> },
      ]}
    />
  )
}

function Call({ request: { method, path, ignored } }: { request: LoggedRequest }) {
  const { words } = useConsole()
  return (
    <>
      <code dir="ltr">
        {method} {path}
      </code>
      {ignored !== null && (
        <p class="small">
          {words.value.requests.ignored} <code dir="ltr">{ignored}</code>
        </p>
      )}
    </>
  )
}

function Status({ request: { status, code, aborted } }: { request: LoggedRequest }) {
  const { words } = useConsole()
  return (
    <>
      <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>{' '}
      {code !== null && <code dir="ltr">{code}</code>}
      {aborted && <span class="small"> {words.value.requests.left}</span>}
    </>
  )
}

interface ByProps {
  readonly request: LoggedRequest
  readonly names: ReadonlyMap<string, string>
}

function By({ request: { keyId, operatorId }, names }: ByProps) {
  const { words } = useConsole()
  const { requests } = words.value
  const id = keyId ?? operatorId
  if (id === null) return <>{requests.visit}</>
  return (
    <>
      {keyId === null ? requests.person : requests.key}{' '}
      <bdi title={id}>{names.get(id) ?? id.slice(0, 8)}</bdi>
    </>
  )
}
