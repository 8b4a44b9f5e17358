import { useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useLoaded } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { fill } from '#web/wording/fill.ts'

const windowFeatures = 'popup,width=520,height=720'

/** Asks a person who signed in through the provider to do so again, in a separate window so that nothing they typed is lost. */
export function ProviderDialog() {
  const { words, calls, visits } = useConsole()
  const found = useLoaded('provider', () => calls.own.getProvider())
  const [state, setState] = useState<'asked' | 'open' | 'blocked'>('asked')
  const visit = visits.visiting.value
  if (visit === null) return null
  const { openid, action } = words.value
  const provider = found.value?.name ?? ''
  const go = () => setState(window.open(visit.url, '_blank', windowFeatures) === null ? 'blocked' : 'open')
  return (
    <Dialog title={openid.again} onClose={visit.cancel}>
      <p>{fill(openid.againLead, { provider })}</p>
      <p class="small" role="status">
        {state === 'open' ? fill(openid.waiting, { provider }) : state === 'blocked' ? openid.blocked : ''}
      </p>
      <div class="buttons">
        <Button kind="primary" onPress={go}>
          {fill(openid.openWindow, { provider })}
        </Button>
        <Button onPress={visit.cancel}>{action.cancel}</Button>
      </div>
    </Dialog>
  )
}
