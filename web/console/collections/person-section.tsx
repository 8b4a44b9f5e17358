import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'

/** Everything that is kept of a person: to be handed out, or erased; and the passkeys of who lost the device. */
export function PersonSection() {
  const { words, calls } = useConsole()
  const [externalId, setExternalId] = useState('')
  const [asked, setAsked] = useState<'reset' | 'erase' | undefined>(undefined)
  const close = () => setAsked(undefined)
  const [answer, setAnswer] = useState('')
  const doing = useDoing()
  const { collections, sessions } = words.value
  const person = externalId.trim()
  const hand = () =>
    doing.run(async () => {
      if (person === '') return
      download(
        `${person}.json`,
        JSON.stringify(await calls.configuration.exportPerson({ externalId: person }), null, 2),
      )
    })
  const erase = async () => {
    const { facesDeleted, sessionsDeleted, deliveriesDeleted } = await calls.configuration.deletePerson({
      externalId: person,
    })
    const counts = { faces: facesDeleted, sessions: sessionsDeleted, deliveries: deliveriesDeleted }
    setAnswer(fill(collections.erased, counts))
  }
  const reset = async () => {
    const { removed } = await calls.configuration.resetPasskeys({ externalId: person })
    setAnswer(fill(collections.resetDone, { n: removed }))
  }
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
          <Button isBusy={doing.isBusy} onPress={hand}>
            {collections.export}
          </Button>
          <Button onPress={() => person !== '' && setAsked('reset')}>{collections.reset}</Button>
          <Button kind="danger" onPress={() => person !== '' && setAsked('erase')}>
            {collections.person}
          </Button>
        </div>
      </div>
      {asked === 'reset' && (
        <Confirm
          title={collections.resetAsk}
          verb={collections.reset}
          isDangerous
          onClose={close}
          onConfirm={reset}
        >
          <p>
            <bdi class="strong">{person}</bdi>
          </p>
          <p>{collections.resetLead}</p>
        </Confirm>
      )}
      {asked === 'erase' && (
        <Confirm
          title={collections.personAsk}
          verb={collections.erase}
          isDangerous
          retype={person}
          onClose={close}
          onConfirm={erase}
        >
          <p>
            <bdi class="strong">{person}</bdi>
          </p>
          <p>{collections.personLead}</p>
        </Confirm>
      )}
    </Section>
  )
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
