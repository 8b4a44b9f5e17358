import { useEffect, useRef, useState } from 'preact/hooks'

/** What came of a call: its answer stays while it is asked again, so that nothing moves. */
export interface Loaded<T> {
  /** The answer to what is asked for now. */
  readonly value: T | undefined
  /** The last answer, be it to something else: only for what tells itself what it answers. */
  readonly last: T | undefined
  readonly problem: unknown
  readonly isLoading: boolean
  reload(): void
  /** Puts another value in its place, as after a change that is known already. */
  set(value: T): void
}

interface Kept<T> {
  /** What it is an answer to. */
  readonly key: string | null
  readonly value?: T
  readonly last?: T
  readonly problem?: unknown
}

/** Calls when `key` changes; an answer that was overtaken is dropped, and what answers another key is shown no more. A key of null waits. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Kept<T> & { readonly isLoading: boolean }>({
    key,
    isLoading: key !== null,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(0)
  useEffect(() => {
    const mine = ++latest.current
    if (key === null) return
    const settle = (next: { value: T; last: T } | { problem: unknown }) => {
      if (mine === latest.current)
        setState((before) => ({ ...ofKey(before, key), problem: undefined, ...next, isLoading: false }))
    }
    setState((before) => ({ ...ofKey(before, key), isLoading: true }))
    load().then(
      (value) => settle({ value, last: value }),
      (problem) => settle({ problem }),
    )
  }, [key, turn])
  const { value, problem } = ofKey(state, key)
  return {
    value,
    last: state.last,
    problem,
    isLoading: state.key === key ? state.isLoading : key !== null,
    reload: () => setTurn((before) => before + 1),
    set: (next) => {
      // A page that shows another key's answer by now keeps that.
      setState((before) => (before.key === key ? { key, value: next, last: next, isLoading: false } : before))
    },
  }
}

function ofKey<T>(kept: Kept<T>, key: string | null): Kept<T> {
  const { last } = kept
  return kept.key === key ? kept : { key, ...(last !== undefined && { last }) }
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
