import { useState } from 'preact/hooks'
import type { getAllFaces } from '#shared/contract/recognition/recognition.ts'
import { mostCounted } from '#shared/contract/recognition/recognition.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { usePages } from '#web/console/core/use-account-data.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Id, Maybe, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'

type Answer = ResultOf<typeof getAllFaces>
type Face = Answer['faces'][number]

const pageSize = 25

/** Loads the matching faces page by page. */
function useFaces(collectionId: string, externalId: string) {
  const { calls } = useConsole()
  const ofPerson = externalId === '' ? {} : { externalId }
  const ask = (cursor?: string) =>
    calls.recognition.getAllFaces({
      collectionId,
      ...ofPerson,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    })
  return usePages(ask, ({ faces: rows, nextCursor: next }) => ({ rows, next }), idOf, [
    collectionId,
    externalId,
  ])
}

const idOf = ({ faceId }: Face) => faceId

/** A collection's faces with their external ids and dates. Each one can be erased. */
export function FacesSection({ id }: { id: string }) {
  const { words } = useConsole()
  const [typed, setTyped] = useState('')
  const [externalId, setExternalId] = useState('')
  const [erased, setErased] = useState<Face | null>(null)
  const { found, doing, rows, hasMore, showMore, forget } = useFaces(id, externalId)
  const { faces, sessions, action } = words.value
  const onErased = () => {
    forget()
    found.reload()
  }
  return (
    <Section
      title={faces.title}
      aside={
        <Form class="inline" onSubmit={() => setExternalId(typed.trim())} label={faces.filter}>
          <TextField label={sessions.person} type="search" value={typed} onInput={setTyped} />
          <Submit>{faces.filter}</Submit>
        </Form>
      }
    >
      {found.value !== undefined && externalId === '' && rows.length > 0 && (
        <FaceCount faceCount={found.value.faceCount} />
      )}
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <p>{externalId === '' ? faces.none : fill(faces.noneOf, { id: externalId })}</p>
      ) : (
        <FaceTable rows={rows} isBusy={found.isLoading} onErase={setErased} />
      )}
      {hasMore && (
        <Button onPress={showMore} isBusy={doing.isBusy}>
          {action.more}
        </Button>
      )}
      {erased !== null && (
        <Erasing collectionId={id} face={erased} onErased={onErased} onClose={() => setErased(null)} />
      )}
    </Section>
  )
}

function FaceCount({ faceCount }: Pick<Answer, 'faceCount'>) {
  const { words } = useConsole()
  const { faces, locale } = words.value
  const most = numberFormat(locale).format(mostCounted)
  if (faceCount !== null) return <p>{count(locale, faces.count, faceCount)}</p>
  return (
    <>
      <p>{fill(faces.many, { n: most })}</p>
      <p role="note">{fill(faces.tooMany, { n: most })}</p>
    </>
  )
}

interface FaceTableProps {
  readonly rows: readonly Face[]
  readonly isBusy: boolean
  readonly onErase: (face: Face) => void
}

function FaceTable({ rows, isBusy, onErase }: FaceTableProps) {
  const { words } = useConsole()
  const may = useMay()
  const { faces, collections, sessions } = words.value
  return (
    <Table
      caption={faces.title}
      rows={rows}
      rowKey={idOf}
      isBusy={isBusy}
      isDense
      columns={[
        {
          name: 'id',
          narrow: 'mark',
          head: collections.faceId,
          cell: ({ faceId }) => <Id value={faceId} isShort />,
        },
        {
          name: 'person',
          narrow: 'lead',
          head: sessions.person,
          cell: ({ externalId }) => <Maybe value={externalId} />,
        },
        { name: 'kept', narrow: 'end', head: faces.since, cell: ({ created }) => <Time at={created} /> },
        {
          name: 'model',
          head: faces.model,
          cell: ({ embeddingModel }) => <code dir="ltr">{embeddingModel}</code>,
        },
        {
          name: 'do',
          narrow: 'act',
          head: collections.erase,
          isQuiet: true,
          cell: (face) =>
            may('deleteFace') && (
              <Button
                kind="danger"
                label={`${collections.erase}: ${face.externalId ?? face.faceId}`}
                onPress={() => onErase(face)}
              >
                {collections.erase}
              </Button>
            ),
        },
      ]}
    />
  )
}

interface ErasingProps {
  readonly collectionId: string
  readonly face: Face
  readonly onErased: () => void
  readonly onClose: () => void
}

function Erasing({ collectionId, face: { faceId, externalId }, onErased, onClose }: ErasingProps) {
  const { words, calls, tell } = useConsole()
  const { faces, collections, feedback } = words.value
  return (
    <Confirm
      title={faces.eraseAsk}
      verb={collections.erase}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await calls.recognition.deleteFace({ collectionId, faceId })
        tell(feedback.removed)
        onErased()
      }}
    >
      <p>
        <code dir="ltr">{faceId}</code> <Maybe value={externalId} />
      </p>
      <p>{faces.eraseLead}</p>
    </Confirm>
  )
}
