import type { Context, Event, State } from '#web/visit/machine/state.ts'
import type { Wording } from '#web/wording/wording.ts'

/** What every screen is given. */
export interface ScreenProps<S extends State = State> {
  readonly state: S
  readonly context: Context
  readonly wording: Wording
  readonly send: (event: Event) => void
}
