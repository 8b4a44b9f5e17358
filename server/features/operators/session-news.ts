import type { Phase } from '#server/platform/running/phase.ts'

const lookEveryMilliseconds = 1000

/** Receives the number of a session's last change. */
export type Tell = (change: number) => void

/**
 * Reports an account's new and changed sessions, whichever process changed them. [Note: Looked for, once an account] One
 * count is polled once a second, however many listeners there are, and not at all without listeners.
 */
export interface SessionNews {
  /** Reports immediately and from then on. Returns a function that stops it. `end` is called when the server stops. */
  listen(accountId: string, tell: Tell, end: () => void): () => void
}

interface Dependencies {
  /** The number of the account's last session change; 0 before the first. */
  readonly lastChange: (accountId: string) => Promise<number>
  readonly phase: () => Phase
  /** The store's hints to look sooner than the next poll. */
  readonly onHint?: ((tell: () => void) => () => void) | undefined
  readonly onFailure: (error: unknown) => void
}

interface Listener {
  readonly tell: Tell
  readonly end: () => void
  lastSent: number | undefined
}

export function createSessionNews({ lastChange, phase, onHint, onFailure }: Dependencies): SessionNews {
  const audiences = new Map<string, Set<Listener>>()
  let timer: NodeJS.Timeout | undefined
  let endHints: (() => void) | undefined

  async function look(accountId: string, listeners: ReadonlySet<Listener>): Promise<void> {
    const change = await lastChange(accountId)
    for (const listener of listeners) {
      if (listener.lastSent === change) continue
      listener.lastSent = change
      listener.tell(change)
    }
  }

  async function round(): Promise<void> {
    if (phase() === 'stopping') {
      for (const listener of [...audiences.values()].flatMap((all) => [...all])) listener.end()
      return
    }
    await Promise.all([...audiences].map(([accountId, all]) => look(accountId, all))).catch(onFailure)
  }

  function leave(accountId: string, listener: Listener): void {
    const all = audiences.get(accountId)
    all?.delete(listener)
    if (all?.size === 0) audiences.delete(accountId)
    if (audiences.size > 0) return
    clearInterval(timer)
    timer = undefined
    endHints?.()
    endHints = undefined
  }

  return {
    listen(accountId, tell, end) {
      const listener: Listener = { tell, end, lastSent: undefined }
      const all = audiences.get(accountId) ?? new Set()
      audiences.set(accountId, all.add(listener))
      timer ??= setInterval(() => void round(), lookEveryMilliseconds).unref()
      endHints ??= onHint?.(() => void round())
      look(accountId, new Set([listener])).catch(onFailure)
      return () => leave(accountId, listener)
    },
  }
}
