import { useState } from 'preact/hooks'
import type { exportPerson } from '#shared/contract/account/person.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { saveFile } from '#web/console/core/save-file.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Id, Maybe, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import type { Column } from '#web/console/ui/table.tsx'
import { ErasePerson } from './erase-person.tsx'
import { List } from './kept-list.tsx'
import { NotThisPerson } from './not-this-person.tsx'
import { knownAtSites, SignIns } from './person-sign-ins.tsx'

type PersonData = ResultOf<typeof exportPerson>

/** Everything stored about a person: faces, sessions, consents, passkeys and site sign-ins. It can all be erased after a preview. */
export function PersonPage({ externalId }: { externalId: string }) {
  const { words, calls } = useConsole()
  const [isErasing, setErasing] = useState(false)
  const [answer, setAnswer] = useState('')
  const found = useAccountData(() => calls.configuration.exportPerson({ externalId }), [externalId])
  const { collections, page } = words.value
  const kept = found.value
  return (
    <>
      <nav class="trail">
        <Link to={{ page: 'collections' }}>{page.collections}</Link>
      </nav>
      <PageHead title={externalId}>
        {kept !== undefined && (
          <Button
            onPress={() => saveFile(`${externalId}.json`, JSON.stringify(kept, null, 2), 'application/json')}
          >
            {collections.export}
          </Button>
        )}
        {kept !== undefined && !isNothing(kept) && (
          <Button kind="danger" onPress={() => setErasing(true)}>
            {collections.person}
          </Button>
        )}
      </PageHead>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <p role="status" class="answer">
        {answer}
      </p>
      {kept !== undefined && <WhatIsKept kept={kept} onChange={found.reload} />}
      {isErasing && kept !== undefined && (
        <Erasure
          kept={kept}
          onClose={() => setErasing(false)}
          onErased={(words) => {
            setAnswer(words)
            found.reload()
          }}
        />
      )}
    </>
  )
}

function isNothing(kept: PersonData): boolean {
  const { sessions, faces, passkeys, passkeyFace, failedSessions, failedTries } = kept
  const ofSites = knownAtSites(kept)
  const lists = [
    sessions,
    faces,
    passkeys,
    ofSites,
    failedSessions,
    failedTries,
    kept.suspectedSessions,
    kept.deniedFaces,
  ]
  return passkeyFace === null && lists.every((list) => list.length === 0)
}

function WhatIsKept({ kept, onChange }: { kept: PersonData; onChange: () => void }) {
  const { words } = useConsole()
  const { person } = words.value
  if (isNothing(kept)) return <p>{person.nothing}</p>
  return (
    <>
      <Faces externalId={kept.externalId} faces={kept.faces} onChange={onChange} />
      <Sessions sessions={kept.sessions} />
      <Consents sessions={kept.sessions} />
      <Passkeys passkeys={kept.passkeys} />
      {knownAtSites(kept).length > 0 && <SignIns kept={kept} />}
    </>
  )
}

type Face = PersonData['faces'][number]

function Faces({
  externalId,
  faces,
  onChange,
}: Pick<PersonData, 'externalId' | 'faces'> & { onChange: () => void }) {
  const [other, setOther] = useState<Face | null>(null)
  return (
    <>
      <FaceList faces={faces} onOther={setOther} />
      {other !== null && (
        <NotThisPerson {...other} externalId={externalId} onDone={onChange} onClose={() => setOther(null)} />
      )}
    </>
  )
}

function FaceList({ faces, onOther }: Pick<PersonData, 'faces'> & { onOther: (face: Face) => void }) {
  const { words } = useConsole()
  const may = useMay()
  const { person, collections } = words.value
  return (
    <List
      title={person.faces}
      rows={faces}
      rowKey={({ faceId, embeddingModel }) => `${faceId} ${embeddingModel}`}
      columns={[
        { name: 'id', head: collections.faceId, cell: ({ faceId }) => <Id value={faceId} isShort /> },
        {
          name: 'collection',
          head: person.collection,
          cell: ({ collectionId }) => (
            <Link to={{ page: 'collections', parts: [collectionId] }}>
              <bdi>{collectionId}</bdi>
            </Link>
          ),
        },
        {
          name: 'model',
          head: words.value.faces.model,
          cell: ({ embeddingModel }) => <code dir="ltr">{embeddingModel}</code>,
        },
        {
          name: 'do',
          head: person.not,
          isQuiet: true,
          cell: (face) =>
            may('updateFace') && (
              <Button kind="quiet" label={`${person.not}: ${face.faceId}`} onPress={() => onOther(face)}>
                {person.not}
              </Button>
            ),
        },
      ]}
    />
  )
}

type Session = PersonData['sessions'][number]

const sessionColumn = (head: string): Column<Session> => ({
  name: 'session',
  head,
  cell: ({ verificationSessionId: id }) => (
    <Link to={{ page: 'sessions', parts: [id] }}>
      <code dir="ltr">{id.slice(0, 8)}</code>
    </Link>
  ),
})

function Sessions({ sessions }: Pick<PersonData, 'sessions'>) {
  const { words } = useConsole()
  const { person, sessions: said } = words.value
  return (
    <List
      title={person.sessions}
      rows={sessions}
      rowKey={({ verificationSessionId }) => verificationSessionId}
      columns={[
        sessionColumn(said.session),
        { name: 'opened', head: person.opened, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { name: 'result', head: person.result, cell: ({ result }) => <Maybe value={resultOf(result)} /> },
      ]}
    />
  )
}

function resultOf(result: Session['result']): string | null {
  const { verificationResult } = result ?? {}
  return typeof verificationResult === 'string' ? verificationResult : null
}

function Consents({ sessions }: Pick<PersonData, 'sessions'>) {
  const { words } = useConsole()
  const { person, sessions: said } = words.value
  return (
    <List
      title={person.consents}
      rows={sessions.filter(({ consent }) => consent !== null)}
      rowKey={({ verificationSessionId }) => verificationSessionId}
      columns={[
        sessionColumn(said.session),
        {
          name: 'consent',
          head: person.consents,
          cell: ({ consent }) => (consent?.given ? person.agreed : person.declined),
        },
        { name: 'language', head: person.language, cell: ({ consent }) => <Maybe value={consent?.locale} /> },
        {
          name: 'wording',
          head: person.wording,
          cell: ({ consent }) => <code dir="ltr">{consent?.wordingVersion}</code>,
        },
      ]}
    />
  )
}

function Passkeys({ passkeys }: Pick<PersonData, 'passkeys'>) {
  const { words } = useConsole()
  const { person } = words.value
  return (
    <List
      title={person.passkeys}
      rows={passkeys}
      rowKey={({ credentialId }) => credentialId}
      columns={[
        { name: 'bound', head: person.bound, cell: ({ boundAt }) => <Time at={boundAt} /> },
        {
          name: 'voucher',
          head: person.voucher,
          cell: ({ attestation }) => (attestation === null ? person.nobody : <bdi>{attestation.format}</bdi>),
        },
      ]}
    />
  )
}

interface ErasureProps {
  readonly kept: PersonData
  readonly onClose: () => void
  /** Receives a sentence that describes the outcome. */
  readonly onErased: (words: string) => void
}

function Erasure({ kept, onClose, onErased }: ErasureProps) {
  const { words } = useConsole()
  const { person } = words.value
  const { externalId, faces, sessions, passkeys, failedSessions, failedTries } = kept
  const atSites = knownAtSites(kept).length
  const goes: readonly (readonly [name: string, count: number])[] = [
    [person.faces, new Set(faces.map(({ faceId }) => faceId)).size],
    [person.sessions, sessions.length],
    [person.deliveries, sessions.reduce((sum, { deliveries }) => sum + deliveries.length, 0)],
    [person.passkeys, passkeys.length],
    [person.attempts, failedSessions.length + failedTries.length],
    ...(atSites > 0 ? [[person.signIns, atSites] as const] : []),
  ]
  return (
    <ErasePerson externalId={externalId} onClose={onClose} onErased={onErased}>
      <p>{person.goes}</p>
      <ul>
        {goes.map(([name, count]) => (
          <li key={name}>{`${name}: ${count}`}</li>
        ))}
      </ul>
      <p>{person.where}</p>
    </ErasePerson>
  )
}
