import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { mostCounted } from '#shared/contract/recognition/recognition.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { lazily } from '#web/console/ui/lazy.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import { CollectionPage } from './collection-page.tsx'
import type { PersonPage as Person } from './person-page.tsx'
import { PersonSection } from './person-section.tsx'
import { useSizes } from './sizes.ts'

const PersonPage = lazily<ComponentProps<typeof Person>>(
  async () => (await import('./person-page.tsx')).PersonPage,
)

/** The list of collections, and the data stored about a person in any of them. */
export function CollectionsPage({ chosen }: { chosen: string | undefined }) {
  const { person } = useConsole().navigation.address.value.query
  if (chosen !== undefined) return <CollectionPage id={chosen} />
  return person === undefined ? <CollectionList /> : <PersonPage externalId={person} />
}

/** Loads all collections, along with the names of the verifications they belong to. */
function useCollections() {
  const { calls } = useConsole()
  return useAccountData(async () => {
    const [{ collections: all }, { verifications }] = await Promise.all([
      calls.recognition.getAllCollections(),
      calls.configuration.getAllVerifications(),
    ])
    return { all, names: new Map(verifications.map(({ verificationId, name }) => [verificationId, name])) }
  })
}

function CollectionList() {
  const { words } = useConsole()
  const may = useMay()
  const [isNew, setNew] = useState(false)
  const found = useCollections()
  const { collections, page } = words.value
  const make = may('createCollection') && (
    <Button kind="primary" onPress={() => setNew(true)}>
      {collections.new}
    </Button>
  )
  const rows = found.value?.all ?? []
  const sizes = useSizes(rows.map(({ collectionId }) => collectionId))
  const nameOf = (id: string) => {
    const name = found.value?.names.get(id)
    return name === undefined ? id : fill(collections.ofVerification, { name })
  }
  return (
    <>
      <PageHead title={page.collections}>{make}</PageHead>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 ? (
        <Empty title={collections.empty} advice={collections.emptyAdvice}>
          {make}
        </Empty>
      ) : (
        <Table
          caption={collections.caption}
          rows={rows}
          rowKey={({ collectionId }) => collectionId}
          isBusy={found.value === undefined}
          columns={[
            {
              name: 'id',
              head: collections.id,
              cell: ({ collectionId }) => (
                <Link to={{ page: 'collections', parts: [collectionId] }} class="row-link">
                  <bdi>{nameOf(collectionId)}</bdi>
                </Link>
              ),
            },
            {
              name: 'size',
              head: collections.size,
              isNumber: true,
              cell: ({ collectionId }) => <Size size={sizes.get(collectionId)} />,
            },
            { name: 'created', head: collections.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { name: 'changed', head: collections.changed, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
      {may('deletePerson') && <PersonSection />}
      {isNew && <NewCollection onClose={() => setNew(false)} />}
    </>
  )
}

/** The number of faces. Space is reserved until it is known. */
function Size({ size }: { size: number | null | undefined }) {
  const { words } = useConsole()
  const { collections, locale } = words.value
  const number = numberFormat(locale)
  const over = fill(collections.over, { n: number.format(mostCounted) })
  return <span class="size">{size === undefined ? '' : size === null ? over : number.format(size)}</span>
}

function NewCollection({ onClose }: { onClose: () => void }) {
  const { words, calls, navigation } = useConsole()
  const [collectionId, setCollectionId] = useState('')
  const [description, setDescription] = useState('')
  const { collections, action } = words.value
  return (
    <Confirm
      title={collections.new}
      verb={action.create}
      onClose={onClose}
      onConfirm={async () => {
        const about = description.trim() === '' ? null : description.trim()
        await calls.recognition.createCollection({ collectionId, description: about })
        navigation.go({ page: 'collections', parts: [collectionId] })
      }}
    >
      <TextField
        label={collections.newId}
        hint={collections.newIdHint}
        value={collectionId}
        onInput={setCollectionId}
        at="collectionId"
        maxLength={512}
        autoFocus
      />
      <TextField
        label={collections.description}
        value={description}
        onInput={setDescription}
        at="description"
        maxLength={1024}
      />
    </Confirm>
  )
}
