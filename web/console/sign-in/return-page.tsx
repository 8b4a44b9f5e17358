import { useEffect, useState } from 'preact/hooks'
import { Problem } from '#shared/problem.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Entrance } from './entrance.tsx'

interface ReturnPageProps {
  /** The query string from the provider's redirect. */
  readonly returned: string
  readonly onDone: () => void
}

/** Signs in a person returning from the provider, or explains why that failed. In a repeat sign-in window, it just passes on the answer. */
export function ReturnPage({ returned, onDone }: ReturnPageProps) {
  const { words, membership, visits } = useConsole()
  const [state, setState] = useState<'busy' | 'brought' | { problem: unknown }>('busy')
  useEffect(() => {
    membership.returnFromProvider(returned).then(
      (isIn) => {
        if (isIn) return onDone()
        visits.bring(returned)
        setState('brought')
        window.close()
      },
      (problem) => setState({ problem }),
    )
  }, [])
  const { openid, signIn } = words.value
  if (state === 'busy') return <div class="room" aria-busy="true" />
  if (state === 'brought')
    return (
      <Entrance title={openid.done}>
        <Button onPress={onDone}>{openid.back}</Button>
      </Entrance>
    )
  const isUnknown = state.problem instanceof Problem && state.problem.code === 'forbidden'
  return (
    <Entrance title={signIn.title}>
      {isUnknown ? (
        <div class="note bad" role="alert">
          <strong>{openid.unknown}</strong>
          <p>{openid.unknownAdvice}</p>
        </div>
      ) : (
        <ProblemNote problem={state.problem} />
      )}
      <Button kind="primary" onPress={onDone}>
        {openid.back}
      </Button>
    </Entrance>
  )
}
