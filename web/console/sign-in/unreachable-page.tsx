import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Entrance } from './entrance.tsx'

/** Shown when the sign-in state is unknown because the server cannot be reached. */
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
