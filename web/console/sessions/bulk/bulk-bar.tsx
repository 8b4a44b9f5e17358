import { useState } from 'preact/hooks'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { count } from '#web/wording/fill.ts'
import { type BulkAction, bulkActions } from './bulk-actions.ts'
import { BulkDialog } from './bulk-dialog.tsx'

interface BulkBarProps {
  readonly chosen: readonly ListedSession[]
  readonly onExport: () => void
  readonly onClear: () => void
  readonly onDone: () => void
}

const operations = {
  assign: 'assignReview',
  fail: 'reviewSession',
  resend: 'resendDelivery',
  cancel: 'cancelSession',
} as const

/** The actions on the chosen sessions. */
export function BulkBar({ chosen, onExport, onClear, onDone }: BulkBarProps) {
  const { words } = useConsole()
  const may = useMay()
  const [asked, setAsked] = useState<BulkAction | null>(null)
  const { bulk, sessions, locale } = words.value
  return (
    <fieldset class="bulk-bar" aria-label={count(locale, bulk.chosen, chosen.length)}>
      <strong>{count(locale, bulk.chosen, chosen.length)}</strong>
      {bulkActions
        .filter((action) => may(operations[action]))
        .map((action) => (
          <Button key={action} onPress={() => setAsked(action)}>
            {bulk.action[action]}
          </Button>
        ))}
      <Button onPress={onExport}>{sessions.csv}</Button>
      <Button kind="quiet" onPress={onClear}>
        {bulk.clear}
      </Button>
      {asked !== null && (
        <BulkDialog action={asked} sessions={chosen} onClose={() => setAsked(null)} onDone={onDone} />
      )}
    </fieldset>
  )
}
