import type { Event } from '#web/visit/machine/state.ts'

/** The timers of a state; each ends in an event. */
export interface Waits {
  /** One wait for each event: asking anew begins it anew. */
  begin(milliseconds: number, event: Event): void
  clear(): void
}

/** Makes the timers of a visit. */
export function createWaits(send: (event: Event) => void): Waits {
  const timers = new Map<Event['type'], ReturnType<typeof setTimeout>>()
  return {
    begin(milliseconds, event) {
      clearTimeout(timers.get(event.type))
      timers.set(
        event.type,
        setTimeout(() => send(event), milliseconds),
      )
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
