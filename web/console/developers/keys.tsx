import { useState } from 'preact/hooks'
import type * as v from 'valibot'
import type { apiKeyDetail } from '#shared/contract/account/account.ts'
import { scopesOfRole } from '#shared/contract/console/scopes-of-role.ts'
import { type Scope, scopes } from '#shared/endpoint.ts'
import { useConsole, useMay, useMe } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { CheckField, FieldGroup, TextField } from '#web/console/ui/field.tsx'
import { Badge, Empty, Id, Secret, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'
import { RollKey } from './roll-key.tsx'

type ApiKey = v.InferOutput<typeof apiKeyDetail>

/** A new key, including its secret value. */
interface MadeKey {
  readonly name: string
  readonly apiKey: string
}

/** The API keys of the current environment. */
export function Keys() {
  const { words, calls } = useConsole()
  const may = useMay()
  const { environment } = useMe()
  const [isNew, setNew] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const [rolled, setRolled] = useState<ApiKey | null>(null)
  const [made, setMade] = useState<MadeKey | null>(null)
  const found = useAccountData(() => calls.configuration.getKeys())
  const { apiKeys, developers } = words.value
  const keys = inOrder(found.value?.keys ?? [])
  const show = (key: MadeKey) => {
    setMade(key)
    found.reload()
  }
  return (
    <Section
      title={developers.tabs.keys}
      aside={
        may('createKey') && (
          <Button kind="primary" onPress={() => setNew(true)}>
            {apiKeys.new}
          </Button>
        )
      }
    >
      {environment === 'test' && <p class="small">{apiKeys.testHint}</p>}
      {made !== null && <Secret value={made.apiKey} label={fill(apiKeys.made, { name: made.name })} />}
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && keys.length === 0 ? (
        <Empty title={apiKeys.empty} advice={apiKeys.emptyAdvice} />
      ) : (
        <KeyTable
          keys={keys}
          isBusy={found.isLoading}
          onRevoke={setRevoked}
          onRoll={setRolled}
          onChanged={found.reload}
        />
      )}
      {isNew && <NewKey onClose={() => setNew(false)} onMade={show} />}
      {rolled !== null && (
        <RollKey apiKey={rolled} onClose={() => setRolled(null)} onMade={show} onChanged={found.reload} />
      )}
      {revoked !== null && (
        <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} onRevoked={found.reload} />
      )}
    </Section>
  )
}

/** Sorts working keys first, then newest first. */
function inOrder(keys: readonly ApiKey[]): ApiKey[] {
  return [...keys].sort(
    (a, b) =>
      Number(a.revoked !== null) - Number(b.revoked !== null) ||
      Date.parse(b.created) - Date.parse(a.created),
  )
}

interface RevokeKeyProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onRevoked: () => void
}

function RevokeKey({ apiKey: { keyId, name }, onClose, onRevoked }: RevokeKeyProps) {
  const { words, calls } = useConsole()
  const { apiKeys } = words.value
  return (
    <Confirm
      title={fill(apiKeys.revokeAsk, { name })}
      verb={apiKeys.revoke}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await calls.configuration.revokeKey({ keyId })
        onRevoked()
      }}
    >
      <p>{apiKeys.revokeLead}</p>
    </Confirm>
  )
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly isBusy: boolean
  readonly onRevoke: (key: ApiKey) => void
  readonly onRoll: (key: ApiKey) => void
  readonly onChanged: () => void
}

function KeyTable({ keys, isBusy, onRevoke, onRoll, onChanged }: KeyTableProps) {
  const { words, calls } = useConsole()
  const doing = useDoing()
  const { apiKeys } = words.value
  const makePrimary = ({ keyId }: ApiKey) =>
    doing.run(async () => {
      await calls.configuration.setPrimaryKey({ keyId })
      onChanged()
    })
  return (
    <>
      <ProblemNote problem={doing.problem} />
      <Table
        caption={apiKeys.caption}
        rows={keys}
        rowKey={({ keyId }) => keyId}
        isBusy={isBusy}
        columns={[
          { name: 'name', head: apiKeys.name, cell: ({ name }) => <bdi class="strong">{name}</bdi> },
          {
            name: 'state',
            head: apiKeys.state,
            cell: (key) => <KeyState apiKey={key} />,
          },
          {
            name: 'scopes',
            head: apiKeys.scopes,
            cell: ({ scopes: own }) =>
              own.length === 0 ? apiKeys.noScopes : <code dir="ltr">{own.join(' ')}</code>,
          },
          {
            name: 'used',
            head: apiKeys.lastUsed,
            cell: ({ lastUsed }) =>
              lastUsed === null ? <span class="none">{apiKeys.never}</span> : <Time at={lastUsed} />,
          },
          { name: 'created', head: apiKeys.created, cell: ({ created }) => <Time at={created} /> },
          {
            name: 'id',
            head: words.value.verifications.id,
            cell: ({ keyId }) => <Id value={keyId} isShort />,
          },
          {
            name: 'do',
            head: words.value.action.edit,
            isQuiet: true,
            cell: (key) => (
              <KeyActions apiKey={key} onRevoke={onRevoke} onRoll={onRoll} onPrimary={makePrimary} />
            ),
          },
        ]}
      />
    </>
  )
}

/** A key's state: whether it works or was revoked, when it ends, and whether webhooks carry it. */
function KeyState({ apiKey: { revoked, isPrimary, ends } }: { apiKey: ApiKey }) {
  const { words } = useConsole()
  const { apiKeys } = words.value
  return (
    <>
      <Badge tone={revoked === null ? (ends === undefined ? 'good' : 'warn') : 'plain'}>
        {revoked === null ? apiKeys.active : apiKeys.revoked}
      </Badge>
      {ends !== undefined && (
        <span class="small">
          {apiKeys.until} <Time at={ends} />
        </span>
      )}
      {isPrimary && <Badge tone="plain">{apiKeys.primary}</Badge>}
    </>
  )
}

interface KeyActionsProps {
  readonly apiKey: ApiKey
  readonly onRevoke: (key: ApiKey) => void
  readonly onRoll: (key: ApiKey) => void
  readonly onPrimary: (key: ApiKey) => void
}

function KeyActions({ apiKey, onRevoke, onRoll, onPrimary }: KeyActionsProps) {
  const { words } = useConsole()
  const may = useMay()
  const { apiKeys } = words.value
  const { revoked, ends, isPrimary, name } = apiKey
  const mayRoll = may('createKey') && may('revokeKey') && ends === undefined
  const mayLead = may('setPrimaryKey') && !isPrimary && ends === undefined
  const mayRevoke = may('revokeKey') && !isPrimary
  if (revoked !== null || !(mayRoll || mayLead || mayRevoke)) return null
  return (
    <RowMenu name={name}>
      {mayRoll && (
        <Button kind="quiet" label={`${apiKeys.roll} ${name}`} onPress={() => onRoll(apiKey)}>
          {apiKeys.roll}
        </Button>
      )}
      {mayLead && (
        <Button kind="quiet" label={`${apiKeys.makePrimary}: ${name}`} onPress={() => onPrimary(apiKey)}>
          {apiKeys.makePrimary}
        </Button>
      )}
      {mayRevoke && (
        <Button kind="danger" label={`${apiKeys.revoke} ${name}`} onPress={() => onRevoke(apiKey)}>
          {apiKeys.revoke}
        </Button>
      )}
    </RowMenu>
  )
}

interface NewKeyProps {
  readonly onClose: () => void
  readonly onMade: (key: { name: string; apiKey: string }) => void
}

function NewKey({ onClose, onMade }: NewKeyProps) {
  const { words, calls } = useConsole()
  const { role } = useMe()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>([])
  const [isAsked, setAsked] = useState(false)
  const { apiKeys, action } = words.value
  // A key cannot have more rights than the person who creates it.
  const offered = scopes.filter((scope) => scopesOfRole[role].includes(scope))
  const toggle = (scope: Scope, isOn: boolean) =>
    setChosen(isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope))
  const isEmpty = chosen.length === 0
  return (
    <Confirm
      title={apiKeys.new}
      verb={isEmpty && isAsked ? apiKeys.makeWithout : action.create}
      onClose={onClose}
      onConfirm={async () => {
        if (isEmpty && !isAsked) {
          setAsked(true)
          return 'stay'
        }
        const { apiKey } = await calls.configuration.createKey({ name: name.trim(), scopes: [...chosen] })
        onMade({ name: name.trim(), apiKey })
        return undefined
      }}
    >
      <TextField label={apiKeys.name} value={name} onInput={setName} maxLength={100} at="name" autoFocus />
      <FieldGroup legend={apiKeys.scopes} at="scopes">
        {offered.map((scope) => (
          <CheckField
            key={scope}
            label={apiKeys.scope[scope]}
            checked={chosen.includes(scope)}
            onChange={(isOn) => toggle(scope, isOn)}
          />
        ))}
      </FieldGroup>
      <div role="alert">
        {isEmpty && isAsked && (
          <div class="note warn">
            <strong>{apiKeys.without}</strong>
            <p>{apiKeys.withoutLead}</p>
          </div>
        )}
      </div>
    </Confirm>
  )
}
