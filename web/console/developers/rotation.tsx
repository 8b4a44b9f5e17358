import { useState } from 'preact/hooks'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { exactTime } from '#web/console/core/times.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { CheckField } from '#web/console/ui/field.tsx'
import { Secret, Section } from '#web/console/ui/pieces.tsx'
import { fill } from '#web/wording/fill.ts'

type Kind = 'signing' | 'secret'

/** Replaces secrets, with an optional overlap. */
export function Rotation() {
  const { words, calls } = useConsole()
  const may = useMay()
  const [asked, setAsked] = useState<Kind | null>(null)
  const [immediately, setImmediately] = useState(false)
  const [done, setDone] = useState<{ kind: Kind; until: string; secret?: string } | null>(null)
  const { rotation, locale } = words.value
  const rotate = async (kind: Kind) => {
    if (kind === 'signing') {
      const { previousValidUntil } = await calls.configuration.rotateSigningKey({ immediately })
      setDone({ kind, until: previousValidUntil })
    } else {
      const answer = await calls.configuration.rotateWebhookSecret({ immediately })
      setDone({ kind, until: answer.previousSignsUntil, secret: answer.webhookSecret })
    }
  }
  const part = (kind: Kind, title: string, lead: string) => (
    <Section title={title}>
      <p>{lead}</p>
      {done?.kind === kind && done.secret !== undefined && (
        <Secret value={done.secret} label={rotation.newSecret} />
      )}
      {done?.kind === kind && (
        <p class="note good" role="status">
          {fill(rotation.until, { time: exactTime(Date.parse(done.until), locale) })}
        </p>
      )}
      {may('rotateSigningKey') && (
        <Button
          onPress={() => {
            setImmediately(false)
            setAsked(kind)
          }}
        >
          {rotation.rotate}
        </Button>
      )}
    </Section>
  )
  return (
    <>
      {part('signing', rotation.signing, rotation.signingLead)}
      {part('secret', rotation.secret, rotation.secretLead)}
      {asked !== null && (
        <Confirm
          title={asked === 'signing' ? rotation.signingAsk : rotation.secretAsk}
          verb={rotation.rotate}
          isDangerous
          onClose={() => setAsked(null)}
          onConfirm={() => rotate(asked)}
        >
          <p>{asked === 'signing' ? rotation.signingLead : rotation.secretLead}</p>
          <CheckField label={rotation.immediately} checked={immediately} onChange={setImmediately} />
          {immediately && asked === 'signing' && <p class="note warn">{rotation.immediateWarning}</p>}
        </Confirm>
      )}
    </>
  )
}
