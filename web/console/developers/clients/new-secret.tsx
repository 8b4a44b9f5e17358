import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { CheckField } from '#web/console/ui/field.tsx'
import { fill } from '#web/wording/fill.ts'
import type { OpenidClient } from './client-form.ts'

interface NewSecretProps {
  readonly client: OpenidClient
  readonly onClose: () => void
  readonly onMade: (made: { name: string; secret: string }) => void
}

/** A dialog that replaces a client's secret, with an optional one-day overlap. */
export function NewSecret({ client: { clientId, name }, onClose, onMade }: NewSecretProps) {
  const { words, calls } = useConsole()
  const [immediately, setImmediately] = useState(false)
  const { openidClients, rotation } = words.value
  return (
    <Confirm
      title={fill(openidClients.rotateAsk, { name })}
      verb={rotation.rotate}
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        const { clientSecret } = await calls.configuration.rotateOpenidSecret({ clientId, immediately })
        onMade({ name, secret: clientSecret })
      }}
    >
      <p>{openidClients.rotateLead}</p>
      <CheckField label={rotation.immediately} checked={immediately} onChange={setImmediately} />
    </Confirm>
  )
}
