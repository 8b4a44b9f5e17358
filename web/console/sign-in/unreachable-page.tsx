import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Entrance } from './entrance.tsx'

/** Shown if the server cannot be reached, so that the sign-in state is unknown. */
export function UnreachablePage() {
  const { words, membership } = useConsole()
  const doing = useDoing()
  const { signIn, problem, action } = words.value
  return (
    <Entrance title={signIn.unreachable}>
      <p>{problem.network.advice}</p>
      <Button kind="primary" isBusy={doing.isBusy} onPress={() => doing.run(() => membership.ask())}>
        {action.retry}
      </Button>
    </Entrance>
  )
}
