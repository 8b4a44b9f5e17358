import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'

interface ProviderButtonProps {
  /** The invitation to accept, if there is one. */
  readonly invitation?: { readonly code: string; readonly name: string }
}

/** A sign-in button for the operator's own provider. Renders nothing if no provider is configured. */
export function ProviderButton({ invitation }: ProviderButtonProps) {
  const { words, calls, membership } = useConsole()
  const found = useLoaded('provider', () => calls.own.getProvider())
  const doing = useDoing()
  const provider = found.value?.name ?? null
  if (provider === null) return null
  const { openid } = words.value
  const go = () => doing.run(() => membership.goToProvider(invitation))
  return (
    <>
      <Button isBusy={doing.isBusy} onPress={go}>
        {fill(openid.button, { provider })}
      </Button>
      <ProblemNote problem={doing.problem} />
    </>
  )
}
