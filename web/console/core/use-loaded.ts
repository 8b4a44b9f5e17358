import { useEffect, useRef, useState } from 'preact/hooks'

/** The state of a call. The value stays during a reload, so that the layout does not jump. */
export interface LoadState<T> {
  /** The answer for the current key. */
  readonly value: T | undefined
  /** The last answer, even if it was for another key. Use it only if the value itself shows which key it belongs to. */
  readonly last: T | undefined
  readonly problem: unknown
  readonly isLoading: boolean
  reload(): void
  /** Replaces the value, for example after a known change. */
  set(value: T): void
}

interface KeyedValue<T> {
  /** The key that the value belongs to. */
  readonly key: string | null
  readonly value?: T
  readonly last?: T
  readonly problem?: unknown
}

/** Loads data whenever `key` changes, and hides the answer for the previous key. Drops outdated answers. Waits while the key is null. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): LoadState<T> {
  const [state, setState] = useState<KeyedValue<T> & { readonly isLoading: boolean }>({
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
      // Leaves the state alone if the page has moved on to another key.
      setState((before) => (before.key === key ? { key, value: next, last: next, isLoading: false } : before))
    },
  }
}

function ofKey<T>(kept: KeyedValue<T>, key: string | null): KeyedValue<T> {
  const { last } = kept
  return kept.key === key ? kept : { key, ...(last !== undefined && { last }) }
}

/** An action that never runs twice at once, and its last error. */
export interface ActionState {
  readonly isBusy: boolean
  readonly problem: unknown
  run(work: () => Promise<void>): Promise<void>
  clear(): void
}

export function useDoing(): ActionState {
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
