import { useState } from 'preact/hooks'
import type * as v from 'valibot'
import type { apiKeyDetail } from '#shared/contract/account/account.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { SelectField } from '#web/console/ui/field.tsx'
import { fill } from '#web/wording/fill.ts'

/** How long the old key keeps working, in seconds. */
const overlaps = { none: 0, hour: 3600, day: 86_400, week: 604_800 } as const
type Overlap = keyof typeof overlaps

interface RollKeyProps {
  readonly apiKey: v.InferOutput<typeof apiKeyDetail>
  readonly onClose: () => void
  /** Runs as soon as the new key exists, even if revoking the old one fails afterwards. */
  readonly onMade: (made: { name: string; apiKey: string }) => void
  readonly onChanged: () => void
}

/** Replaces a key with a new one that has the same name and scopes. Both keys work during the chosen overlap. */
export function RollKey({ apiKey: old, onClose, onMade, onChanged }: RollKeyProps) {
  const { words, calls } = useConsole()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const { apiKeys } = words.value
  const { name, keyId, isPrimary } = old
  const roll = async () => {
    const { configuration } = calls
    const made = await configuration.createKey({ name, scopes: [...old.scopes] })
    onMade({ name, apiKey: made.apiKey })
    if (isPrimary) await configuration.setPrimaryKey({ keyId: made.keyId })
    await configuration.revokeKey({ keyId, overlapInSeconds: overlaps[overlap] })
    onChanged()
  }
  return (
    <Confirm
      title={fill(apiKeys.rollAsk, { name })}
      verb={apiKeys.rollVerb}
      onClose={onClose}
      onConfirm={roll}
    >
      <p>{apiKeys.rollLead}</p>
      {isPrimary && <p>{apiKeys.rollPrimary}</p>}
      <SelectField
        label={apiKeys.overlap}
        value={overlap}
        options={(Object.keys(overlaps) as Overlap[]).map((one) => [one, apiKeys.overlaps[one]] as const)}
        onChange={setOverlap}
      />
    </Confirm>
  )
}
