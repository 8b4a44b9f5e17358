import { useState } from 'preact/hooks'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { usePages } from '#web/console/core/use-account-data.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Badge, Empty, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { type ActorNames, useActors } from '#web/console/ui/use-actors.ts'
import { fill } from '#web/wording/fill.ts'
import { operationName, outcomeName, resourceName } from './audit-names.ts'

const pageSize = 50

/** The audit log, and a check of its integrity. */
export function AuditLog() {
  const { words, calls } = useConsole()
  const may = useMay()
  const [verdict, setVerdict] = useState<{ isWhole: boolean; text: string } | null>(null)
  const mayRead = may('getAuditLog')
  const ask = (next?: string) =>
    calls.configuration.getAuditLog({ limit: pageSize, ...(next && { cursor: next }) })
  const {
    found,
    doing,
    rows: entries,
    hasMore,
    showMore,
  } = usePages(
    ask,
    ({ entries: rows, nextCursor: next }) => ({ rows, next }),
    ({ sequence }) => String(sequence),
    mayRead ? [] : null,
  )
  const { audit, settings, action, problem } = words.value
  const verify = () =>
    doing.run(async () => {
      const { valid, checked, fault, faultAt } = await calls.configuration.verifyAuditLog()
      const text = valid
        ? fill(audit.whole, { n: checked })
        : fill(audit.broken, { at: faultAt ?? '', fault: fault ?? '' })
      setVerdict({ isWhole: valid, text })
    })
  if (!mayRead) return <Empty {...problem.code.forbidden} />
  return (
    <Section
      title={settings.tabs.audit}
      aside={
        <Button isBusy={doing.isBusy} onPress={verify}>
          {audit.verify}
        </Button>
      }
    >
      {verdict !== null && (
        <p class={`note ${verdict.isWhole ? 'good' : 'bad'}`} role="status">
          {verdict.text}
        </p>
      )}
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {found.value !== undefined && entries.length === 0 ? (
        <Empty title={audit.empty} advice={audit.emptyAdvice} />
      ) : (
        <AuditTable entries={entries} isBusy={found.value === undefined} />
      )}
      {hasMore && <Button onPress={showMore}>{action.more}</Button>}
    </Section>
  )
}

function AuditTable({ entries, isBusy }: { entries: readonly AuditEntry[]; isBusy: boolean }) {
  const { words } = useConsole()
  const nameOf = useActors()
  const { audit } = words.value
  return (
    <Table
      caption={audit.caption}
      rows={entries}
      rowKey={({ sequence }) => String(sequence)}
      isBusy={isBusy}
      isDense
      columns={[
        { name: 'number', head: audit.number, isNumber: true, cell: ({ sequence }) => sequence },
        { name: 'time', narrow: 'end', head: audit.time, cell: ({ time }) => <Time at={time} /> },
        {
          name: 'who',
          narrow: 'lead',
          head: audit.who,
          cell: (entry) => <Actor entry={entry} nameOf={nameOf} />,
        },
        {
          name: 'what',
          narrow: 'rest',
          head: audit.what,
          cell: ({ operation }) => <span title={operation}>{operationName(operation, words.value)}</span>,
        },
        { name: 'on', isElastic: true, head: audit.on, cell: (entry) => <Resources entry={entry} /> },
        {
          name: 'outcome',
          narrow: 'mark',
          head: audit.outcome,
          cell: ({ outcome }) => (
            <Badge tone={outcome === 'succeeded' ? 'good' : 'bad'}>{outcomeName(outcome, words.value)}</Badge>
          ),
        },
      ]}
    />
  )
}

function Actor({ entry: { actor }, nameOf }: { entry: AuditEntry; nameOf: ActorNames }) {
  const { words } = useConsole()
  const id = actor.keyId === null ? '' : nameOf(actor.keyId)
  return <bdi>{fill(words.value.audit.actor[actor.kind], { id, name: actor.operator?.name ?? '' })}</bdi>
}

function Resources({ entry: { resources } }: { entry: AuditEntry }) {
  const { words } = useConsole()
  return (
    <>
      {Object.entries(resources).map(([name, value]) => (
        <span key={name} class="resource">
          {resourceName(name, words.value)}{' '}
          <code dir="ltr" title={value}>
            {value.length > 14 ? `${value.slice(0, 12)}…` : value}
          </code>
        </span>
      ))}
    </>
  )
}
