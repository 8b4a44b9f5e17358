import { useEffect, useState } from 'preact/hooks'
import { useConsole } from './console-context.ts'

/** What somebody changes of what is saved. */
interface Draft<T> {
  readonly draft: T
  readonly isChanged: boolean
  change(next: T): void
  discard(): void
  /** It was sent, and is saved. */
  keep(sent: T): void
}

/**
 * A form over what is saved. What is saved anew, here or elsewhere, comes into it where nobody has changed anything, and takes nothing away
 * that somebody has. The person is asked before what is not saved is left.
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

/** Asks before what was written is lost: by a reload, another view of the console, or other data. */
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
