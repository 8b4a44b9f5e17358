import { useEffect, useRef, useState } from 'preact/hooks'
import { type NameTable, readNameTable } from '#shared/picture-import/picture-names.ts'
import type { ReportRow } from '#shared/picture-import/report-row.ts'
import { Problem } from '#shared/problem.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { saveFile } from '#web/console/core/save-file.ts'
import { duration } from '#web/console/core/times.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { FileField, SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import { chosenPictures, droppedPictures } from './folder-files.ts'
import {
  createFolderImport,
  type FolderImport,
  type FolderImportState,
  type FolderPicture,
} from './folder-import.ts'

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

type ImportChoices = Pick<
  Parameters<typeof createFolderImport>[0],
  'pictures' | 'naming' | 'faults' | 'leastQuality'
>

/** Imports a folder of pictures into a collection from this browser, a few at a time. */
export function FolderSection({ id, onKept }: { id: string; onKept: () => void }) {
  const { words, calls } = useConsole()
  const [running, setRunning] = useState<FolderImport>()
  const [state, setState] = useState<FolderImportState>()
  const current = useRef(running)
  current.current = running
  // Leaving the page ends the import. If the same folder is imported again, pictures that were already added are recognised.
  useEffect(() => () => current.current?.pause(), [])
  const start = (asked: ImportChoices) => {
    const taken = createFolderImport({
      ...asked,
      calls: calls.recognition,
      collectionId: id,
      milliseconds: () => performance.now(),
      wait: pause,
      onChange: setState,
    })
    setRunning(taken)
    void taken.start().then(onKept)
  }
  return (
    <Section title={words.value.folder.title}>
      {running === undefined || state === undefined ? (
        <FolderForm onStart={start} />
      ) : (
        <Progress running={running} state={state} name={`${id}.csv`} onAgain={() => setRunning(undefined)} />
      )}
    </Section>
  )
}

type NamingChoice = 'none' | 'file-name' | 'folder' | 'table'

function FolderForm({ onStart }: { onStart: (asked: ImportChoices) => void }) {
  const { words } = useConsole()
  const [pictures, setPictures] = useState<readonly FolderPicture[]>([])
  const [by, setBy] = useState<NamingChoice>('none')
  const [table, setTable] = useState<File | null>(null)
  const [least, setLeast] = useState('0')
  const doing = useDoing()
  const { folder } = words.value
  const start = () =>
    doing.run(async () => {
      if (pictures.length === 0) throw Problem.at('#/folder', folder.chooseFirst)
      const leastQuality = qualityOf(least, folder)
      if (by !== 'table') return onStart({ pictures, naming: by, faults: [], leastQuality })
      const { names, faults } = await readTable(table, folder)
      return onStart({ pictures, naming: names, faults: faults.map(asRow), leastQuality })
    })
  const ways: readonly (readonly [NamingChoice, string])[] = [
    ['none', folder.byNone],
    ['file-name', folder.byFile],
    ['folder', folder.byFolder],
    ['table', folder.byTable],
  ]
  return (
    <Form onSubmit={start} problem={doing.problem} label={folder.title}>
      <p class="small">{folder.lead}</p>
      <FolderField count={pictures.length} onChoose={setPictures} />
      <SelectField label={folder.by} value={by} onChange={setBy} options={ways} />
      {by === 'table' && (
        <FileField
          label={folder.table}
          hint={folder.tableHint}
          accept=".csv,text/csv"
          onChoose={setTable}
          at="table"
        />
      )}
      <TextField
        label={folder.least}
        hint={folder.leastHint}
        type="number"
        value={least}
        onInput={setLeast}
        at="least"
      />
      <div class="buttons">
        <Submit isBusy={doing.isBusy}>{folder.start}</Submit>
      </div>
    </Form>
  )
}

/** @throws {Problem} if the text is not a valid quality */
function qualityOf(least: string, folder: { leastRange: string }): number {
  const quality = Number(least)
  if (least.trim() === '' || !(quality >= 0 && quality <= 100)) throw Problem.at('#/least', folder.leastRange)
  return quality
}

async function readTable(
  file: File | null,
  folder: { chooseTable: string; tableHint: string },
): Promise<NameTable> {
  if (file === null) throw Problem.at('#/table', folder.chooseTable)
  try {
    return readNameTable(await file.text())
  } catch {
    throw Problem.at('#/table', folder.tableHint)
  }
}

function asRow({ file, detail }: NameTable['faults'][number]): ReportRow {
  return {
    file,
    externalId: null,
    faceId: null,
    reason: 'badExternalId',
    quality: null,
    nearest: null,
    detail,
  }
}

interface FolderFieldProps {
  readonly count: number
  readonly onChoose: (pictures: readonly FolderPicture[]) => void
}

/** A file field and drop target for a folder. */
function FolderField({ count, onChoose }: FolderFieldProps) {
  const { words } = useConsole()
  const { folder } = words.value
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setAttribute('webkitdirectory', ''), [])
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    if (event.dataTransfer !== null) onChoose(await droppedPictures(event.dataTransfer.items))
  }
  return (
    <fieldset
      class="group drop"
      data-at="folder"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <legend class="heard">{folder.title}</legend>
      <label for="folder-of-pictures">{folder.choose}</label>
      <input
        id="folder-of-pictures"
        ref={input}
        type="file"
        multiple
        onChange={(event) => onChoose(chosenPictures(event.currentTarget.files ?? []))}
      />
      <span class="hint">{count === 0 ? folder.drop : fill(folder.chosen, { n: count })}</span>
    </fieldset>
  )
}

interface ProgressProps {
  readonly running: FolderImport
  readonly state: FolderImportState
  readonly name: string
  readonly onAgain: () => void
}

function Progress({ running, state, name, onAgain }: ProgressProps) {
  const { words } = useConsole()
  const { folder, locale } = words.value
  const { done, total, perSecond, secondsLeft, counts, isPaused, isDone, problem } = state
  const left =
    secondsLeft === undefined || isDone ? '' : fill(folder.left, { time: duration(secondsLeft, locale) })
  const rate = fill(folder.rate, {
    n: numberFormat(locale, { maximumFractionDigits: 1 }).format(perSecond),
  })
  const outcomes = folder.outcomes as Readonly<Record<string, string>>
  return (
    <div class="form">
      <ProgressBar share={total === 0 ? 1 : done / total} label={folder.title} />
      <p role="status" class="answer">
        {isDone
          ? fill(folder.done, { n: total })
          : isPaused
            ? folder.paused
            : fill(folder.of, { done, total })}
      </p>
      <p class="small">{[rate, left].filter(Boolean).join(' · ')}</p>
      <ProblemNote problem={problem} />
      <ul>
        {Object.entries(counts).map(([outcome, n]) => (
          <li key={outcome}>{`${outcomes[outcome] ?? outcome}: ${numberFormat(locale).format(n)}`}</li>
        ))}
      </ul>
      <div class="buttons">
        {!isDone && (
          <Button onPress={isPaused ? running.resume : running.pause}>
            {isPaused ? folder.resume : folder.pause}
          </Button>
        )}
        <Button onPress={() => saveFile(name, running.report(), 'text/csv')}>{folder.report}</Button>
        {isDone && <Button onPress={onAgain}>{folder.again}</Button>}
      </div>
    </div>
  )
}
