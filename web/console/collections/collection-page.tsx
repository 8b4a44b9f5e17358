import type { ComponentProps } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { faceMatchThresholds } from '#shared/contract/recognition/face-elements.ts'
import { Problem } from '#shared/problem.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Submit } from '#web/console/ui/controls.tsx'
import { DangerZone } from '#web/console/ui/danger-zone.tsx'
import { FileField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { lazily } from '#web/console/ui/lazy.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { PageHead, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import type { FacesSection as Faces } from './faces-section.tsx'
import type { FolderSection as Folder } from './folder-section.tsx'
import { base64Of } from './picture-bytes.ts'
import { thresholdOf } from './threshold.ts'

const FacesSection = lazily<ComponentProps<typeof Faces>>(
  async () => (await import('./faces-section.tsx')).FacesSection,
)

const FolderSection = lazily<ComponentProps<typeof Folder>>(
  async () => (await import('./folder-section.tsx')).FolderSection,
)

const tabNames = ['faces', 'import', 'search'] as const
const callOfTab = { faces: 'getAllFaces', import: 'indexFace', search: 'searchFace' } as const

/** One collection: its faces, which can be erased, an import of more, and a search by picture. */
export function CollectionPage({ id }: { id: string }) {
  const { words, calls, navigation } = useConsole()
  const [isRemoving, setRemoving] = useState(false)
  const found = useAccountData(() => calls.recognition.getCollection({ collectionId: id }), [id])
  const { collections, page } = words.value
  const known = found.value?.recognitionCollection
  return (
    <>
      <nav class="trail">
        <Link to={{ page: 'collections' }}>{page.collections}</Link>
      </nav>
      <PageHead title={id} />
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {known !== undefined && (
        <>
          <p class="small">
            {known.description !== null && (
              <>
                <bdi>{known.description}</bdi>
                {' · '}
              </>
            )}
            {collections.created} <Time at={known.createdAt} isExact />
          </p>
          <CollectionTabs id={id} onRemove={() => setRemoving(true)} />
        </>
      )}
      {isRemoving && (
        <Confirm
          title={collections.removeAsk}
          verb={collections.remove}
          isDangerous
          retype={id}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await calls.recognition.deleteCollection({ collectionId: id })
            navigation.go({ page: 'collections' })
          }}
        >
          <p>{collections.removeLead}</p>
        </Confirm>
      )}
    </>
  )
}

/** The collection's tools, one at a time. An import goes on while another tab is shown. */
function CollectionTabs({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { words, navigation } = useConsole()
  const may = useMay()
  const [kept, setKept] = useState(0)
  const { collections } = words.value
  const tabs = tabNames.filter((name) => may(callOfTab[name]))
  const chosen = tabs.find((name) => name === navigation.address.value.query.tab) ?? 'faces'
  const addressOf = (name: (typeof tabNames)[number]) =>
    ({ page: 'collections', parts: [id], query: { tab: name === 'faces' ? '' : name } }) as const
  return (
    <>
      <nav class="tabs" aria-label={id}>
        {tabs.map((name) => (
          <Link key={name} to={addressOf(name)} current={name === chosen}>
            {collections.tabs[name]}
          </Link>
        ))}
      </nav>
      <div hidden={chosen !== 'faces'}>
        <FacesSection key={kept} id={id} />
        {may('deleteFace') && <FaceErasure id={id} />}
        {may('deleteCollection') && (
          <DangerZone verb={collections.remove} lead={collections.removeLead} onPress={onRemove} />
        )}
      </div>
      <div hidden={chosen !== 'import'}>
        {may('indexFace') && <FolderSection id={id} onKept={() => setKept((before) => before + 1)} />}
      </div>
      <div hidden={chosen !== 'search'}>{may('searchFace') && <FaceSearch id={id} />}</div>
    </>
  )
}

function FaceSearch({ id }: { id: string }) {
  const { words, calls } = useConsole()
  const [file, setFile] = useState<File | null>(null)
  const [threshold, setThreshold] = useState(String(faceMatchThresholds.default))
  const [answer, setAnswer] = useState('')
  const current = useRef(file)
  const doing = useDoing()
  const { collections, locale } = words.value
  const choose = (chosen: File | null) => {
    current.current = chosen
    setFile(chosen)
    setAnswer('')
  }
  const search = () =>
    doing.run(async () => {
      if (file === null) throw Problem.at('#/image', words.value.fault.picture)
      setAnswer('')
      const image = { bytes: base64Of(new Uint8Array(await file.arrayBuffer())) }
      const { least, asked } = thresholdOf(threshold)
      const found = await calls.recognition.searchFace({ collectionId: id, image, ...asked })
      // Another picture has been chosen since, so this answer is outdated.
      if (current.current !== file) return
      const n = numberFormat(locale, { maximumFractionDigits: 3 }).format(least)
      setAnswer(
        !found.hasFace
          ? collections.noFace
          : found.isComparable === false
            ? collections.notComparable
            : found.faceId === null
              ? fill(collections.notFound, { n })
              : fill(collections.found, { id: found.faceId, n }),
      )
    })
  return (
    <Section title={collections.search}>
      <Form onSubmit={search} problem={doing.problem} label={collections.search}>
        <p class="small">{collections.searchLead}</p>
        <FileField label={collections.picture} accept="image/jpeg,image/png" onChoose={choose} at="image" />
        <TextField
          label={collections.threshold}
          type="number"
          value={threshold}
          onInput={setThreshold}
          at="faceMatchThreshold"
        />
        <p role="status" class="answer">
          {answer}
        </p>
        <div class="buttons">
          <Submit isBusy={doing.isBusy}>{collections.search}</Submit>
        </div>
      </Form>
    </Section>
  )
}

function FaceErasure({ id }: { id: string }) {
  const { words, calls, tell } = useConsole()
  const [faceId, setFaceId] = useState('')
  const doing = useDoing()
  const { collections, feedback } = words.value
  const erase = () =>
    doing.run(async () => {
      await calls.recognition.deleteFace({ collectionId: id, faceId: faceId.trim() })
      setFaceId('')
      tell(feedback.removed)
    })
  return (
    <details class="section">
      <summary>{collections.eraseFace}</summary>
      <Form onSubmit={erase} problem={doing.problem} label={collections.eraseFace}>
        <TextField label={collections.faceId} value={faceId} onInput={setFaceId} at="faceId" isCode />
        <div class="buttons">
          <Submit kind="danger" isBusy={doing.isBusy}>
            {collections.erase}
          </Submit>
        </div>
      </Form>
    </details>
  )
}
