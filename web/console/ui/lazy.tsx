import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ProblemNote } from './problem-note.tsx'

/** A component that is only loaded when it is first shown, so that the first screen does not have to wait for it. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazily(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const [problem, setProblem] = useState<unknown>(undefined)
    const get = () => {
      setProblem(undefined)
      load().then((found) => {
        loaded = found
        setPart(() => loaded)
      }, setProblem)
    }
    useEffect(() => {
      if (loaded === undefined) get()
    }, [])
    if (Part !== undefined) return <Part {...props} />
    return problem === undefined ? (
      <div class="room" aria-busy="true" />
    ) : (
      <ProblemNote problem={problem} onRetry={get} />
    )
  }
}
