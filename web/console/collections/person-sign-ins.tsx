import type { KeptSignIns } from '#shared/contract/account/person-sign-ins.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Id } from '#web/console/ui/pieces.tsx'
import { List } from './kept-list.tsx'

type KnownSubject = KeptSignIns['subjects'][number]

/** The person's subjects at sites, without duplicates. For clients without a secret, they are only known while a sign-in lasts. */
export function knownAtSites({ subjects, signIns }: KeptSignIns): readonly KnownSubject[] {
  const known = [...subjects, ...signIns]
  return known.filter((one, at) => known.findIndex((other) => isSame(one, other)) === at)
}

/** The person's subject at each site, and how many recent sign-ins there are. */
export function SignIns({ kept }: { kept: KeptSignIns }) {
  const { words } = useConsole()
  const { person } = words.value
  return (
    <List
      title={person.signIns}
      rows={knownAtSites(kept)}
      rowKey={({ clientId, subject }) => `${clientId} ${subject}`}
      columns={[
        { name: 'client', head: person.client, cell: ({ clientId }) => <Id value={clientId} /> },
        { name: 'subject', head: person.subject, cell: ({ subject }) => <Id value={subject} isShort /> },
        {
          name: 'latest',
          head: person.latest,
          isNumber: true,
          cell: (row) => kept.signIns.filter((one) => isSame(one, row)).length,
        },
      ]}
    />
  )
}

const isSame = (one: KnownSubject, other: KnownSubject): boolean =>
  one.clientId === other.clientId && one.subject === other.subject
