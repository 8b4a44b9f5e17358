import { useEffect, useState } from 'preact/hooks'

/** The state of a call. */
export interface CallState<T> {
  readonly value: T | undefined
  /** The server's error message. */
  readonly problem: string | undefined
  again(): void
}

/** Calls once per key, and again on request. Drops answers that belong to a previous key. */
export function useAsked<T>(key: unknown, ask: () => Promise<T>): CallState<T> {
  const [tries, setTries] = useState(0)
  const [answer, setAnswer] = useState<{ readonly key: unknown; value?: T; problem?: string }>({ key })
  useEffect(() => {
    let isCurrent = true
    const take = (found: { value?: T; problem?: string }) => isCurrent && setAnswer({ key, ...found })
    take({})
    ask().then(
      (value) => take({ value }),
      (error: unknown) => take({ problem: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [key, tries])
  const isOfKey = answer.key === key
  return {
    value: isOfKey ? answer.value : undefined,
    problem: isOfKey ? answer.problem : undefined,
    again: () => setTries(tries + 1),
  }
}
