import { useState } from 'preact/hooks'
import type * as v from 'valibot'
import type { verificationOverview } from '#shared/contract/configuration/verification.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, Id, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'

type Overview = v.InferOutput<typeof verificationOverview>

/** A new verification's initial configuration. An empty one would not check anything. */
const beginning = {
  verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Balanced' } },
  resultParameterConfig: { includeSignature: true, includeSessionId: true, includeVerificationResult: true },
} as const

/** Lists all of the account's verifications. */
export function VerificationsPage() {
  const { words, calls } = useConsole()
  const may = useMay()
  const [isNew, setNew] = useState(false)
  const { verifications, page } = words.value
  const found = useAccountData(() => calls.configuration.getAllVerifications())
  const make = may('createVerification') && (
    <Button kind="primary" onPress={() => setNew(true)}>
      {verifications.new}
    </Button>
  )
  const rows = [...(found.value?.verifications ?? [])].reverse()
  return (
    <>
      <PageHead title={page.verifications}>{make}</PageHead>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <Empty title={verifications.empty} advice={verifications.emptyAdvice}>
          {make}
        </Empty>
      ) : (
        <VerificationTable rows={rows} isBusy={found.isLoading} />
      )}
      {isNew && <NewVerification onClose={() => setNew(false)} />}
    </>
  )
}

interface VerificationTableProps {
  readonly rows: readonly Overview[]
  readonly isBusy: boolean
}

function VerificationTable({ rows, isBusy }: VerificationTableProps) {
  const { words } = useConsole()
  const { verifications, page } = words.value
  return (
    <Table
      caption={verifications.caption}
      rows={rows}
      rowKey={({ verificationId }) => verificationId}
      isBusy={isBusy}
      columns={[
        {
          name: 'name',
          head: verifications.name,
          cell: ({ verificationId, name }) => (
            <Link to={{ page: 'verifications', parts: [verificationId] }} class="row-link">
              <bdi>{name}</bdi>
            </Link>
          ),
        },
        {
          name: 'changed',
          head: verifications.changed,
          cell: ({ lastModified }) => <Time at={lastModified} />,
        },
        { name: 'created', head: verifications.created, cell: ({ created }) => <Time at={created} /> },
        {
          name: 'id',
          head: verifications.id,
          cell: ({ verificationId }) => <Id value={verificationId} isShort />,
        },
        {
          name: 'sessions',
          head: page.sessions,
          cell: ({ verificationId }) => (
            <Link to={{ page: 'sessions', query: { verificationId } }}>{page.sessions}</Link>
          ),
        },
      ]}
    />
  )
}

function NewVerification({ onClose }: { onClose: () => void }) {
  const { words, calls, navigation } = useConsole()
  const [name, setName] = useState('')
  const { verifications, action } = words.value
  return (
    <Confirm
      title={verifications.new}
      verb={action.create}
      onClose={onClose}
      onConfirm={async () => {
        const body = { name: name.trim(), verificationConfig: beginning }
        const { verificationId } = await calls.configuration.createVerification(body)
        navigation.go({ page: 'verifications', parts: [verificationId] })
      }}
    >
      <TextField label={verifications.name} value={name} onInput={setName} at="name" autoFocus />
    </Confirm>
  )
}
