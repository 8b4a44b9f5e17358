import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { saveFile } from '#web/console/core/save-file.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { ErasePerson } from './erase-person.tsx'

/** Exports or erases all of a person's data, and resets a person's passkeys if their device is lost. */
export function PersonSection() {
  const { words, calls, navigation } = useConsole()
  const [externalId, setExternalId] = useState('')
  const [asked, setAsked] = useState<'reset' | 'erase' | undefined>(undefined)
  const [answer, setAnswer] = useState('')
  const doing = useDoing()
  const { collections, sessions } = words.value
  const person = externalId.trim()
  const ask = (what: 'reset' | 'erase') => () => person !== '' && setAsked(what)
  const asking = { person, onClose: () => setAsked(undefined), onDone: setAnswer }
  const hand = () =>
    doing.run(async () => {
      if (person === '') return
      const kept = await calls.configuration.exportPerson({ externalId: person })
      saveFile(`${person}.json`, JSON.stringify(kept, null, 2), 'application/json')
    })
  return (
    <Section title={collections.personTitle}>
      <div class="form">
        <p class="small">{collections.personLead}</p>
        <TextField label={sessions.person} value={externalId} onInput={setExternalId} />
        <ProblemNote problem={doing.problem} />
        <p role="status" class="answer">
          {answer}
        </p>
        <div class="buttons">
          <Button onPress={() => person !== '' && navigation.go({ page: 'collections', query: { person } })}>
            {words.value.person.show}
          </Button>
          <Button isBusy={doing.isBusy} onPress={hand}>
            {collections.export}
          </Button>
          <Button onPress={ask('reset')}>{collections.reset}</Button>
          <Button kind="danger" onPress={ask('erase')}>
            {collections.person}
          </Button>
        </div>
      </div>
      {asked === 'reset' && <ResetPasskeys {...asking} />}
      {asked === 'erase' && (
        <ErasePerson externalId={person} onClose={asking.onClose} onErased={setAnswer}>
          <p>{collections.personLead}</p>
        </ErasePerson>
      )}
    </Section>
  )
}

interface AskingProps {
  readonly person: string
  readonly onClose: () => void
  /** Receives a sentence that describes the outcome. */
  readonly onDone: (answer: string) => void
}

function ResetPasskeys({ person, onClose, onDone }: AskingProps) {
  const { words, calls } = useConsole()
  const { collections } = words.value
  const reset = async () => {
    const { removed } = await calls.configuration.resetPasskeys({ externalId: person })
    onDone(fill(collections.resetDone, { n: removed }))
  }
  return (
    <Confirm
      title={collections.resetAsk}
      verb={collections.reset}
      isDangerous
      onClose={onClose}
      onConfirm={reset}
    >
      <p>
        <bdi class="strong">{person}</bdi>
      </p>
      <p>{collections.resetLead}</p>
    </Confirm>
  )
}
