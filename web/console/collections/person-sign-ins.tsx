import type { KeptSignIns } from '#shared/contract/account/person-sign-ins.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Id } from '#web/console/ui/pieces.tsx'
import { List } from './kept-list.tsx'

/** Whether sites know the person by anything. */
export function hasSignIns({ subjects, signIns }: KeptSignIns): boolean {
  return subjects.length + signIns.length > 0
}

/** What the sites call the person, and how often they signed in there of late. */
export function SignIns({ subjects, signIns }: KeptSignIns) {
  const { words } = useConsole()
  const { person } = words.value
  const known = [...subjects, ...signIns]
  const rows = known.filter((one, at) => known.findIndex((other) => isSame(one, other)) === at)
  return (
    <List
      title={person.signIns}
      rows={rows}
      rowKey={({ clientId, subject }) => `${clientId} ${subject}`}
      columns={[
        { name: 'client', head: person.client, cell: ({ clientId }) => <Id value={clientId} /> },
        { name: 'subject', head: person.subject, cell: ({ subject }) => <Id value={subject} isShort /> },
        {
          name: 'latest',
          head: person.latest,
          isNumber: true,
          cell: (row) => signIns.filter((one) => isSame(one, row)).length,
        },
      ]}
    />
  )
}

type Known = KeptSignIns['subjects'][number]

const isSame = (one: Known, other: Known): boolean =>
  one.clientId === other.clientId && one.subject === other.subject
