import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Badge, Id, Maybe } from '#web/console/ui/pieces.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { Table } from '#web/console/ui/table.tsx'
import type { OpenidClient } from './client-form.ts'

type Kind = 'edit' | 'rotate' | 'try' | 'remove'

interface ClientTableProps {
  readonly clients: readonly OpenidClient[]
  readonly isBusy: boolean
  readonly nameOf: (verificationId: string) => string | undefined
  readonly onAsk: (kind: Kind, client: OpenidClient) => void
}

/** A table of clients with the two values that a site needs: its id and the issuer. */
export function ClientTable({ clients, isBusy, nameOf, onAsk }: ClientTableProps) {
  const { words } = useConsole()
  const { openidClients, action } = words.value
  return (
    <Table
      caption={openidClients.caption}
      rows={clients}
      rowKey={({ clientId }) => clientId}
      isBusy={isBusy}
      columns={[
        {
          name: 'name',
          head: openidClients.name,
          cell: ({ name, isPublic, isUsable }) => (
            <>
              <bdi class="strong">{name}</bdi>
              {isPublic && <Badge tone="plain">{openidClients.public}</Badge>}
              {!isUsable && <Badge tone="bad">{openidClients.unusable}</Badge>}
            </>
          ),
        },
        { name: 'id', head: openidClients.id, cell: ({ clientId }) => <Id value={clientId} isShort /> },
        {
          name: 'issuer',
          head: openidClients.issuer,
          cell: ({ issuer }) => <code dir="ltr">{issuer}</code>,
        },
        {
          name: 'verification',
          head: openidClients.verification,
          cell: ({ verificationId }) => <Maybe value={nameOf(verificationId)} />,
        },
        {
          name: 'do',
          head: action.edit,
          isQuiet: true,
          cell: (client) => <ClientActions client={client} onAsk={onAsk} />,
        },
      ]}
    />
  )
}

function ClientActions({ client, onAsk }: { client: OpenidClient; onAsk: ClientTableProps['onAsk'] }) {
  const { words } = useConsole()
  const may = useMay()
  const { openidClients, action } = words.value
  if (!may('updateOpenidClient')) return null
  const button = (kind: Kind, label: string) => (
    <Button
      kind={kind === 'remove' ? 'danger' : 'quiet'}
      label={`${label}: ${client.name}`}
      onPress={() => onAsk(kind, client)}
    >
      {label}
    </Button>
  )
  return (
    <RowMenu name={client.name}>
      {client.isUsable && button('try', openidClients.try)}
      {button('edit', action.edit)}
      {!client.isPublic && button('rotate', openidClients.rotate)}
      {button('remove', action.remove)}
    </RowMenu>
  )
}
