import { useEffect, useState } from 'preact/hooks'
import { useConsole } from './console-context.ts'

/** Unsaved changes to a saved value. */
interface Draft<T> {
  readonly draft: T
  readonly isChanged: boolean
  change(next: T): void
  discard(): void
  /** Marks the draft as sent and saved. */
  keep(sent: T): void
}

/**
 * A form for editing a saved value. A newer saved value replaces an unchanged draft but never discards the person's changes. Asks before
 * unsaved changes are lost.
 */
export function useDraft<T>(saved: T, isSame: (one: T, other: T) => boolean): Draft<T> {
  const [state, setState] = useState({ saved, base: saved, draft: saved })
  let now = state
  if (!isSame(state.saved, saved)) {
    now = { saved, base: saved, draft: isSame(state.draft, state.base) ? saved : state.draft }
    setState(now)
  }
  const { base, draft } = now
  const isChanged = !isSame(draft, base)
  useUnsaved(isChanged)
  return {
    draft,
    isChanged,
    change: (next) => setState((before) => ({ ...before, draft: next })),
    discard: () => setState((before) => ({ ...before, draft: before.base })),
    keep: (sent) => setState((before) => ({ ...before, base: sent })),
  }
}

/** Asks before a reload, a navigation or an account switch discards unsaved changes. */
function useUnsaved(isChanged: boolean): void {
  const { words, navigation } = useConsole()
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    const release = navigation.hold(() => confirm(words.peek().shell.leaveUnsaved))
    return () => {
      removeEventListener('beforeunload', warn)
      release()
    }
  }, [isChanged, navigation])
}
