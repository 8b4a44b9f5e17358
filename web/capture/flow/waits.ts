import type { Event } from '#web/capture/machine/state.ts'

/** A state's timers. */
export type Waits = ReturnType<typeof createWaits>

/** Creates a visit's timers. Each one ends by sending an event. */
export function createWaits(send: (event: Event) => void) {
  const timers = new Map<Event['type'], ReturnType<typeof setTimeout>>()
  return {
    /** Starts a timer for an event, replacing one that is already running. */
    begin(milliseconds: number, event: Event) {
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
