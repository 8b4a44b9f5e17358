import { Problem } from '#shared/problem.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { passkeyHindranceOf } from '#web/console/core/passkey-place.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { hasFaults } from '#web/console/ui/faults.ts'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Entrance } from './entrance.tsx'
import { PasskeyHindrance } from './passkey-hindrance.tsx'
import { ProviderButton } from './provider-button.tsx'

/** Signs a person in with a passkey. */
export function SignInPage() {
  const { words, membership } = useConsole()
  const doing = useDoing()
  const { signIn } = words.value
  const hasPasskeys = passkeyHindranceOf(window) !== 'browser'
  return (
    <Entrance title={signIn.title}>
      <p>{signIn.lead}</p>
      <PasskeyHindrance />
      {hasPasskeys && (
        <Button kind="primary" isBusy={doing.isBusy} onPress={() => doing.run(() => membership.signIn())}>
          {signIn.button}
        </Button>
      )}
      <ProviderButton />
      <CeremonyNote problem={doing.problem} title={signIn.refused} advice={signIn.refusedAdvice} />
    </Entrance>
  )
}

interface CeremonyNoteProps {
  readonly problem: unknown
  readonly title: string
  readonly advice: string
}

/** Shows the server's error, or a general message if the device failed, since only the device knows why. */
export function CeremonyNote({ problem, title, advice }: CeremonyNoteProps) {
  if (problem === undefined || hasFaults(problem)) return null
  const isOfServer = problem instanceof Problem && problem.status !== 401
  if (isOfServer || problem instanceof TypeError) return <ProblemNote problem={problem} />
  return (
    <div class="note bad" role="alert">
      <strong>{title}</strong>
      <p>{advice}</p>
    </div>
  )
}
