import { useEffect, useRef, useState } from 'preact/hooks'

/** What came of a call: what it answered last stays while it is asked again, so that nothing moves. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly problem: unknown
  readonly isLoading: boolean
  reload(): void
  /** Puts another value in its place, as after a change that is known already. */
  set(value: T): void
}

/** Calls when `key` changes; an answer that was overtaken is dropped. A key of null waits. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem?: unknown; isLoading: boolean }>({
    isLoading: key !== null,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(0)
  useEffect(() => {
    if (key === null) return
    const mine = ++latest.current
    const settle = (next: { value?: T; problem?: unknown }) => {
      if (mine === latest.current)
        setState((before) => ({ ...before, problem: undefined, ...next, isLoading: false }))
    }
    setState((before) => ({ ...before, isLoading: true }))
    load().then(
      (value) => settle({ value }),
      (problem) => settle({ problem }),
    )
  }, [key, turn])
  return {
    value: state.value,
    problem: state.problem,
    isLoading: state.isLoading,
    reload: () => setTurn((before) => before + 1),
    set: (value) => setState({ value, isLoading: false }),
  }
}

/** Something that is done at a press: one at a time, and what went wrong. */
export interface Doing {
  readonly isBusy: boolean
  readonly problem: unknown
  run(work: () => Promise<void>): Promise<void>
  clear(): void
}

export function useDoing(): Doing {
  const [state, setState] = useState<{ isBusy: boolean; problem: unknown }>({
    isBusy: false,
    problem: undefined,
  })
  const isBusy = useRef(false)
  return {
    ...state,
    clear: () => setState({ isBusy: false, problem: undefined }),
    async run(work) {
      if (isBusy.current) return
      isBusy.current = true
      setState({ isBusy: true, problem: undefined })
      let problem: unknown
      try {
        await work()
      } catch (error) {
        problem = error
      }
      isBusy.current = false
      setState({ isBusy: false, problem })
    },
  }
}
