import { useState } from 'preact/hooks'
import type { getPeople } from '#shared/contract/console/people.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { type OperatorRole, operatorRoles } from '#shared/operator-roles.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { Badge, Secret, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'

type Person = ResultOf<typeof getPeople>['people'][number]
type Invitation = ResultOf<typeof getPeople>['invitations'][number]

/** The account's people and their roles. Only owners can change them. */
export function People() {
  const { words, calls } = useConsole()
  const { accountId, role } = useMe()
  const [isInviting, setInviting] = useState(false)
  const [changed, setChanged] = useState<Person | null>(null)
  const [removed, setRemoved] = useState<Person | null>(null)
  const [made, setMade] = useState<{ name: string; url: string } | null>(null)
  const found = useLoaded(accountId, () => calls.own.getPeople())
  const { people, settings } = words.value
  const isOwner = role === 'owner'
  return (
    <Section
      title={settings.tabs.people}
      aside={
        isOwner && (
          <Button kind="primary" onPress={() => setInviting(true)}>
            {people.invite}
          </Button>
        )
      }
    >
      {made !== null && (
        <>
          <Secret value={made.url} label={fill(people.link, { name: made.name })} />
          <p class="small">{people.linkLead}</p>
        </>
      )}
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <PeopleTable
        people={found.value?.people ?? []}
        isBusy={found.value === undefined}
        {...(isOwner && { onChange: setChanged, onRemove: setRemoved })}
      />
      {isOwner && <Invitations invitations={found.value?.invitations ?? []} onWithdrawn={found.reload} />}
      {isInviting && (
        <Invite
          onClose={() => setInviting(false)}
          onMade={(invited) => {
            setMade(invited)
            found.reload()
          }}
        />
      )}
      {changed !== null && (
        <RoleChange person={changed} onClose={() => setChanged(null)} onChanged={found.reload} />
      )}
      {removed !== null && (
        <Removal person={removed} onClose={() => setRemoved(null)} onRemoved={found.reload} />
      )}
    </Section>
  )
}

interface RemovalProps {
  readonly person: Person
  readonly onClose: () => void
  readonly onRemoved: () => void
}

function Removal({ person: { operatorId, name }, onClose, onRemoved }: RemovalProps) {
  const { words, calls } = useConsole()
  const { people } = words.value
  return (
    <Confirm
      title={fill(people.removeAsk, { name })}
      verb={people.remove}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await calls.own.removePerson({ operatorId })
        onRemoved()
      }}
    >
      <p>{people.removeLead}</p>
    </Confirm>
  )
}

interface PeopleTableProps {
  readonly people: readonly Person[]
  readonly isBusy: boolean
  readonly onChange?: (person: Person) => void
  readonly onRemove?: (person: Person) => void
}

function PeopleTable({ people: rows, isBusy, onChange, onRemove }: PeopleTableProps) {
  const { words } = useConsole()
  const { people, role, action } = words.value
  return (
    <Table
      caption={people.caption}
      rows={rows}
      rowKey={({ operatorId }) => operatorId}
      isBusy={isBusy}
      columns={[
        {
          name: 'name',
          head: people.name,
          cell: ({ name, isYou }) => (
            <>
              <bdi class="strong">{name}</bdi> {isYou && <Badge tone="plain">{people.you}</Badge>}
            </>
          ),
        },
        { name: 'role', head: people.role, cell: (person) => role[person.role] },
        { name: 'seen', head: people.lastSeen, cell: ({ lastSeen }) => <Time at={lastSeen} /> },
        { name: 'joined', head: people.joined, cell: ({ joined }) => <Time at={joined} /> },
        {
          name: 'do',
          head: action.edit,
          isQuiet: true,
          cell: (person) => (
            <RowMenu name={person.name}>
              {onChange !== undefined && (
                <Button
                  kind="quiet"
                  label={`${people.changeRole}: ${person.name}`}
                  onPress={() => onChange(person)}
                >
                  {people.changeRole}
                </Button>
              )}
              {onRemove !== undefined && !person.isYou && (
                <Button
                  kind="danger"
                  label={`${people.remove}: ${person.name}`}
                  onPress={() => onRemove(person)}
                >
                  {people.remove}
                </Button>
              )}
            </RowMenu>
          ),
        },
      ]}
    />
  )
}

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly onWithdrawn: () => void
}

function Invitations({ invitations, onWithdrawn }: InvitationsProps) {
  const { words, calls } = useConsole()
  const doing = useDoing()
  const { people, role } = words.value
  if (invitations.length === 0) return null
  const withdraw = (invitationId: string) =>
    doing.run(async () => {
      await calls.own.withdrawInvitation({ invitationId })
      onWithdrawn()
    })
  return (
    <Section title={people.invited}>
      <ProblemNote problem={doing.problem} />
      <Table
        caption={people.invited}
        rows={invitations}
        rowKey={({ invitationId }) => invitationId}
        columns={[
          {
            name: 'name',
            head: people.name,
            cell: ({ name, email }) => (
              <>
                <bdi>{name ?? people.anybody}</bdi> {email !== null && <bdi class="small">{email}</bdi>}
              </>
            ),
          },
          { name: 'role', head: people.role, cell: (invitation) => role[invitation.role] },
          { name: 'expires', head: people.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          {
            name: 'do',
            head: people.withdraw,
            isQuiet: true,
            cell: ({ invitationId }) => (
              <Button kind="quiet" onPress={() => withdraw(invitationId)}>
                {people.withdraw}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}

interface InviteProps {
  readonly onClose: () => void
  readonly onMade: (made: { name: string; url: string }) => void
}

function Invite({ onClose, onMade }: InviteProps) {
  const { words, calls } = useConsole()
  const [name, setName] = useState('')
  const [role, setRole] = useState<OperatorRole>('viewer')
  const [email, setEmail] = useState('')
  const provider = useLoaded('provider', () => calls.own.getProvider()).value?.name ?? null
  const { people, action, openid } = words.value
  return (
    <Confirm
      title={people.invite}
      verb={action.create}
      onClose={onClose}
      onConfirm={async () => {
        const address = email.trim() === '' ? {} : { email: email.trim() }
        const { url } = await calls.own.invitePerson({ name: name.trim(), role, ...address })
        onMade({ name: name.trim(), url })
      }}
    >
      <TextField label={people.name} value={name} onInput={setName} maxLength={100} at="name" autoFocus />
      <RoleField role={role} onChange={setRole} />
      {provider !== null && (
        <TextField label={openid.mail} hint={openid.mailHint} value={email} onInput={setEmail} at="email" />
      )}
    </Confirm>
  )
}

function RoleField({ role, onChange }: { role: OperatorRole; onChange: (role: OperatorRole) => void }) {
  const { words } = useConsole()
  const { people } = words.value
  return (
    <SelectField
      label={people.role}
      hint={people.may[role]}
      value={role}
      options={operatorRoles.map((one) => [one, words.value.role[one]] as const)}
      onChange={onChange}
      at="role"
    />
  )
}

interface RoleChangeProps {
  readonly person: Person
  readonly onClose: () => void
  readonly onChanged: () => void
}

function RoleChange({ person, onClose, onChanged }: RoleChangeProps) {
  const { words, calls, membership } = useConsole()
  const [role, setRole] = useState(person.role)
  const { people, action } = words.value
  return (
    <Confirm
      title={`${people.changeRole}: ${person.name}`}
      verb={action.save}
      onClose={onClose}
      onConfirm={async () => {
        await calls.own.changeRole({ operatorId: person.operatorId, role })
        if (person.isYou) await membership.ask()
        onChanged()
      }}
    >
      <RoleField role={role} onChange={setRole} />
    </Confirm>
  )
}
