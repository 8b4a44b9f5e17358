import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { Problem } from '#shared/problem.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useDraft } from '#web/console/core/use-draft.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { DangerZone } from '#web/console/ui/danger-zone.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { lazily } from '#web/console/ui/lazy.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Id, PageHead } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { SaveBar } from '#web/console/ui/save-bar.tsx'
import { fill } from '#web/wording/fill.ts'
import { checkedSentence } from './checked-sentence.ts'
import { ConfigFields } from './config-fields.tsx'
import { type Config, parseConfig, printConfig } from './config-form.ts'
import { badJson, ConfigJson, configMember } from './config-json.tsx'
import { faultInJson } from './config-lines.ts'
import { ConfigPreview } from './config-preview.tsx'
import { SectionList } from './editor-sections.tsx'
import { LinkDialog } from './link-dialog.tsx'
import type { VersionsSection as Section } from './versions-section.tsx'

const VersionsSection = lazily<ComponentProps<typeof Section>>(
  async () => (await import('./versions-section.tsx')).VersionsSection,
)

type OpenDialog = 'link' | 'removal' | null

/** Edits a verification through a form and as JSON. Both share one value. */
export function VerificationPage({ id }: { id: string }) {
  const { words, calls } = useConsole()
  const may = useMay()
  const [asked, setAsked] = useState<OpenDialog>(null)
  const [restored, setRestored] = useState(0)
  const loaded = useAccountData(() => calls.configuration.getVerification({ verificationId: id }), [id])
  const { verifications, page, shell } = words.value
  const known = loaded.value?.verification
  const onRestored = () => {
    setRestored((before) => before + 1)
    loaded.reload()
  }
  return (
    <>
      <nav class="trail">
        <Link to={{ page: 'verifications' }}>{page.verifications}</Link>
      </nav>
      <PageHead title={known?.name ?? page.verifications}>
        {known !== undefined && may('createSignature') && (
          <Button onPress={() => setAsked('link')}>{verifications.link}</Button>
        )}
      </PageHead>
      <p class="under-head">
        {verifications.id} <Id value={id} />
      </p>
      <ProblemNote problem={loaded.problem} onRetry={loaded.reload} />
      {!may('updateVerification') && <p class="note">{shell.notYours}</p>}
      {known !== undefined && (
        <Editor
          key={restored}
          id={id}
          name={known.name}
          config={known.verificationConfig ?? {}}
          onSaved={loaded.reload}
        />
      )}
      {known !== undefined && (
        <VersionsSection id={id} lastModified={known.lastModified} onRestored={onRestored} />
      )}
      {known !== undefined && may('deleteVerification') && (
        <DangerZone
          verb={verifications.remove}
          lead={verifications.removeLead}
          onPress={() => setAsked('removal')}
        />
      )}
      {asked === 'link' && known !== undefined && (
        <LinkDialog
          verificationId={id}
          config={known.verificationConfig ?? {}}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'removal' && known !== undefined && (
        <Removal id={id} name={known.name} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

interface EditorProps {
  readonly id: string
  readonly name: string
  readonly config: Config
  readonly onSaved: () => void
}

/** The name and configuration being edited, as a value and as JSON text. */
interface VerificationDraft {
  readonly name: string
  readonly config: Config
  readonly text: string
  readonly isJsonSource: boolean
}

const editedOf = (name: string, config: Config): VerificationDraft => ({
  name,
  config,
  text: printConfig(config),
  isJsonSource: false,
})

const isSame = (one: VerificationDraft, other: VerificationDraft) =>
  one.name === other.name && one.text === other.text

function useEdited(savedName: string, saved: Config) {
  const { draft, isChanged, change, discard, keep } = useDraft(editedOf(savedName, saved), isSame)
  const setName = (name: string) => change({ ...draft, name })
  const fromForm = (config: Config) => change(editedOf(draft.name, config))
  const fromJson = (text: string) =>
    change({ ...draft, text, isJsonSource: true, config: parseConfig(text) ?? draft.config })
  const parsed = parseConfig(draft.text)
  const kept = () => keep(draft)
  return { ...draft, setName, parsed, isChanged, fromForm, fromJson, discard, kept }
}

function Editor({ id, name: savedName, config: saved, onSaved }: EditorProps) {
  const { words, calls, tell } = useConsole()
  const may = useMay()
  const edited = useEdited(savedName, saved)
  const { name, setName, config, text, parsed, isChanged, fromForm, fromJson, discard } = edited
  const doing = useDoing()
  const { verifications, feedback } = words.value
  const save = () =>
    doing.run(async () => {
      if (parsed === undefined)
        throw Problem.at(`#/${configMember}`, badJson(verifications.badJson, faultInJson(text)))
      await calls.configuration.updateVerification({
        verificationId: id,
        name,
        verificationConfig: parsed,
      })
      edited.kept()
      tell(feedback.saved)
      onSaved()
    })
  return (
    <Form onSubmit={save} problem={doing.problem} class="editor" label={verifications.form}>
      <p class="sentence" role="status" aria-label={verifications.sentence}>
        {checkedSentence(config, words.value)}
      </p>
      <div class="editor-columns">
        <SectionList />
        <div class="editor-fields">
          <TextField label={verifications.name} value={name} onInput={setName} at="name" />
          <ConfigFields config={config} onChange={fromForm} />
          <ConfigJson
            text={text}
            isJson={parsed !== undefined}
            isSource={edited.isJsonSource}
            onInput={fromJson}
          />
        </div>
        <div class="beside-form">
          <ConfigPreview config={parsed === undefined ? undefined : config} />
        </div>
      </div>
      {may('updateVerification') && (
        <SaveBar verb={verifications.save} isBusy={doing.isBusy} isChanged={isChanged} onDiscard={discard} />
      )}
    </Form>
  )
}

function Removal({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { words, calls, navigation, tell } = useConsole()
  const { verifications, feedback } = words.value
  return (
    <Confirm
      title={fill(verifications.removeAsk, { name })}
      verb={verifications.remove}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await calls.configuration.deleteVerification({ verificationId: id })
        tell(feedback.removed)
        navigation.go({ page: 'verifications' }, { isForced: true })
      }}
    >
      <p>{verifications.removeLead}</p>
    </Confirm>
  )
}
