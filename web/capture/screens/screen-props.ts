import type { ReadonlySignal } from '@preact/signals'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { Context, Event, Situation, State } from '#web/capture/machine/state.ts'
import type { Wording } from '#web/wording/wording.ts'

/** The props that every screen receives. */
export interface ScreenProps<S extends State = State> {
  readonly state: S
  readonly context: Context
  readonly wording: Wording
  readonly send: (event: Event) => void
}

/** A visit to show, from either a running flow or a preview. */
export interface VisitOnScreen {
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly video: HTMLElement
  readonly send: (event: Event) => void
  readonly elsewhere: () => string | null
}
