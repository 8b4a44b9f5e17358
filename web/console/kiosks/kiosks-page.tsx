import { useState } from 'preact/hooks'
import type { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { isSilent, lostCaptures } from '#web/console/overview/attention.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Badge, Empty, Id, Maybe, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'
import { sizeOf } from '#web/wording/units.ts'
import { NewKiosk } from './new-kiosk.tsx'

type Kiosk = ResultOf<typeof getAllKiosks>['kiosks'][number]
const lookMilliseconds = 15_000

/** The account's kiosks and their current state. */
export function KiosksPage() {
  const { words, calls } = useConsole()
  const may = useMay()
  const [isNew, setNew] = useState(false)
  const [revoked, setRevoked] = useState<Kiosk | null>(null)
  const found = useAccountData(async () => {
    const [{ kiosks: all }, { verifications }] = await Promise.all([
      calls.configuration.getAllKiosks(),
      calls.configuration.getAllVerifications(),
    ])
    return { all, verifications }
  })
  useRepeated(lookMilliseconds, found.reload)
  const { kiosks, page } = words.value
  const rows = [...(found.value?.all ?? [])].sort(
    (a, b) => Number(a.state === 'Revoked') - Number(b.state === 'Revoked'),
  )
  const verifications = found.value?.verifications ?? []
  const make = may('createKiosk') && (
    <Button kind="primary" onPress={() => setNew(true)}>
      {kiosks.new}
    </Button>
  )
  return (
    <>
      <PageHead title={page.kiosks}>{make}</PageHead>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <Empty title={kiosks.empty} advice={kiosks.emptyAdvice}>
          {make}
        </Empty>
      ) : (
        <KioskTable
          rows={rows}
          isBusy={found.value === undefined}
          nameOf={(id) => verifications.find(({ verificationId }) => verificationId === id)?.name}
          onRevoke={may('revokeKiosk') ? setRevoked : undefined}
        />
      )}
      {isNew && (
        <NewKiosk verifications={verifications} onMade={found.reload} onClose={() => setNew(false)} />
      )}
      {revoked !== null && (
        <Confirm
          title={fill(kiosks.revokeAsk, { name: revoked.name })}
          verb={kiosks.revoke}
          isDangerous
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            await calls.configuration.revokeKiosk({ kioskId: revoked.kioskId })
            found.reload()
          }}
        >
          <p>{kiosks.revokeLead}</p>
        </Confirm>
      )}
    </>
  )
}

interface KioskTableProps {
  readonly rows: readonly Kiosk[]
  readonly isBusy: boolean
  readonly nameOf: (verificationId: string) => string | undefined
  readonly onRevoke: ((kiosk: Kiosk) => void) | undefined
}

function KioskTable({ rows, isBusy, nameOf, onRevoke }: KioskTableProps) {
  const { words } = useConsole()
  const { kiosks } = words.value
  return (
    <Table
      caption={kiosks.caption}
      rows={rows}
      rowKey={({ kioskId }) => kioskId}
      isBusy={isBusy}
      columns={[
        { name: 'name', head: kiosks.name, cell: ({ name }) => <bdi class="strong">{name}</bdi> },
        { name: 'state', head: kiosks.state, cell: (kiosk) => <KioskState kiosk={kiosk} /> },
        { name: 'seen', head: kiosks.lastSeen, cell: ({ lastSeenUtcTime }) => <Time at={lastSeenUtcTime} /> },
        {
          name: 'waiting',
          head: kiosks.waiting,
          isNumber: true,
          cell: ({ queued }) => <Maybe value={queued} />,
        },
        {
          name: 'received',
          head: kiosks.received,
          isNumber: true,
          cell: (kiosk) => <Received kiosk={kiosk} />,
        },
        { name: 'drift', head: kiosks.drift, isNumber: true, cell: (kiosk) => <Drift kiosk={kiosk} /> },
        {
          name: 'storage',
          head: kiosks.storage,
          cell: ({ storage }) => <Storage storage={storage} />,
        },
        {
          name: 'verification',
          head: kiosks.verification,
          cell: ({ verificationId }) => (
            <Link to={{ page: 'verifications', parts: [verificationId] }}>
              <bdi>{nameOf(verificationId) ?? verificationId.slice(0, 8)}</bdi>
            </Link>
          ),
        },
        {
          name: 'id',
          head: words.value.verifications.id,
          cell: ({ kioskId }) => <Id value={kioskId} isShort />,
        },
        {
          name: 'do',
          head: kiosks.revoke,
          isQuiet: true,
          cell: (kiosk) => <KioskActions kiosk={kiosk} onRevoke={onRevoke} />,
        },
      ]}
    />
  )
}

interface KioskActionsProps {
  readonly kiosk: Kiosk
  readonly onRevoke: KioskTableProps['onRevoke']
}

function KioskActions({ kiosk, onRevoke }: KioskActionsProps) {
  const { words } = useConsole()
  const { kiosks, page } = words.value
  return (
    <RowMenu name={kiosk.name}>
      <Link to={{ page: 'sessions', query: { kioskId: kiosk.kioskId } }} class="press quiet">
        {page.sessions}
      </Link>
      {onRevoke !== undefined && kiosk.state !== 'Revoked' && (
        <Button kind="danger" label={`${kiosks.revoke}: ${kiosk.name}`} onPress={() => onRevoke(kiosk)}>
          {kiosks.revoke}
        </Button>
      )}
    </RowMenu>
  )
}

function Drift({ kiosk: { clockDriftInSeconds: drift, clockIsOff } }: { kiosk: Kiosk }) {
  const { words } = useConsole()
  if (drift === null) return <Maybe value={null} />
  return (
    <span class={clockIsOff ? 'alarming' : undefined}>
      {fill(words.value.kiosks.driftSeconds, { n: Math.round(drift) })}
    </span>
  )
}

function Storage({ storage }: Pick<Kiosk, 'storage'>) {
  const { words } = useConsole()
  if (storage === null) return <Maybe value={null} />
  const { kiosks, locale } = words.value
  const used = sizeOf(storage.usedBytes, locale, 'short')
  const quota = sizeOf(storage.quotaBytes, locale, 'short')
  return <>{fill(kiosks.usedOf, { used, quota })}</>
}

function KioskState({ kiosk }: { kiosk: Kiosk }) {
  const { words } = useConsole()
  const { kiosks } = words.value
  if (isSilent(kiosk, Date.now())) return <Badge tone="bad">{kiosks.silent}</Badge>
  const tone = { Created: 'warn', Paired: 'good', Revoked: 'plain' } as const
  return <Badge tone={tone[kiosk.state]}>{kiosks.states[kiosk.state]}</Badge>
}

function Received({ kiosk }: { kiosk: Kiosk }) {
  const { words } = useConsole()
  const lost = lostCaptures(kiosk)
  return (
    <>
      {kiosk.receivedCount}
      {lost > 0 && <Badge tone="warn">{fill(words.value.kiosks.lost, { n: lost })}</Badge>}
    </>
  )
}
