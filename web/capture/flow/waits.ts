import type { Event } from '#web/capture/machine/state.ts'

/** The timers of a state. */
export type Waits = ReturnType<typeof createWaits>

/** Creates the timers of a visit; each ends with an event. */
export function createWaits(send: (event: Event) => void) {
  const timers = new Map<Event['type'], ReturnType<typeof setTimeout>>()
  return {
    /** Starts a timer for an event and replaces a running one. */
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
