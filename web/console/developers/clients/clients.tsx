import { useState } from 'preact/hooks'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, Secret, Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { ClientDialog } from './client-dialog.tsx'
import type { OpenidClient } from './client-form.ts'
import { ClientTable } from './client-table.tsx'
import { ClientTrial } from './client-trial.tsx'
import { NewSecret } from './new-secret.tsx'

type OpenClientDialog = { readonly kind: 'edit' | 'rotate' | 'try' | 'remove'; readonly client: OpenidClient }

/** The sites that use OpenID Connect to sign people in. */
export function Clients() {
  const { words, calls } = useConsole()
  const may = useMay()
  const [asked, setAsked] = useState<OpenClientDialog | 'new' | null>(null)
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null)
  const found = useAccountData(async () => {
    const [{ clients }, { verifications }] = await Promise.all([
      calls.configuration.getOpenidClients(),
      calls.configuration.getAllVerifications(),
    ])
    return { clients, verifications }
  })
  const { openidClients, developers } = words.value
  const { clients = [], verifications = [] } = found.value ?? {}
  const close = () => setAsked(null)
  const done = (secret: typeof made) => {
    setMade(secret)
    found.reload()
  }
  return (
    <Section
      title={developers.tabs.clients}
      aside={
        may('createOpenidClient') &&
        verifications.length > 0 && (
          <Button kind="primary" onPress={() => setAsked('new')}>
            {openidClients.new}
          </Button>
        )
      }
    >
      <p class="small">{openidClients.lead}</p>
      {made !== null && (
        <Secret value={made.secret} label={fill(openidClients.secretOf, { name: made.name })} />
      )}
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && clients.length === 0 ? (
        <NoClients isWithoutVerification={verifications.length === 0} />
      ) : (
        <ClientTable
          clients={clients}
          isBusy={found.isLoading}
          nameOf={(id) => verifications.find(({ verificationId }) => verificationId === id)?.name}
          onAsk={(kind, client) => setAsked({ kind, client })}
        />
      )}
      {(asked === 'new' || asked?.kind === 'edit') && (
        <ClientDialog
          client={asked === 'new' ? undefined : asked.client}
          verifications={verifications}
          onClose={close}
          onSaved={done}
        />
      )}
      {asked !== null && asked !== 'new' && <Use asked={asked} onClose={close} onDone={done} />}
    </Section>
  )
}

function NoClients({ isWithoutVerification }: { isWithoutVerification: boolean }) {
  const { words } = useConsole()
  const { openidClients, page } = words.value
  if (!isWithoutVerification) return <Empty title={openidClients.empty} advice={openidClients.emptyAdvice} />
  return (
    <Empty title={openidClients.empty} advice={openidClients.needVerification}>
      <Link to={{ page: 'verifications' }} class="press primary">
        {page.verifications}
      </Link>
    </Empty>
  )
}

interface UseProps {
  readonly asked: OpenClientDialog
  readonly onClose: () => void
  readonly onDone: (made: { name: string; secret: string } | null) => void
}

function Use({ asked: { kind, client }, onClose, onDone }: UseProps) {
  const { words, calls } = useConsole()
  const { openidClients, action } = words.value
  const { clientId, name } = client
  if (kind === 'try') return <ClientTrial client={client} onClose={onClose} />
  if (kind === 'rotate') return <NewSecret client={client} onClose={onClose} onMade={onDone} />
  if (kind === 'edit') return null
  return (
    <Confirm
      title={fill(openidClients.removeAsk, { name })}
      verb={action.remove}
      isDangerous
      retype={name}
      onClose={onClose}
      onConfirm={async () => {
        await calls.configuration.deleteOpenidClient({ clientId })
        onDone(null)
      }}
    >
      <p>{openidClients.removeLead}</p>
    </Confirm>
  )
}
