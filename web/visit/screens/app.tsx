import type { ReadonlySignal } from '@preact/signals'
import { useDressedDocument } from '#web/ui/dressed-document.ts'
import { SpeechRegions } from '#web/ui/speech-regions.tsx'
import type { LiveView } from '#web/visit/capture/tracker.ts'
import type { Event, Situation } from '#web/visit/machine/state.ts'
import { Visit, type VisitProps } from './visit.tsx'

/** What the app shows, whether a flow runs behind it or a preview. */
export interface Shown {
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly video: HTMLElement
  readonly send: (event: Event) => void
  readonly elsewhere: () => string | null
}

/** The page: what the visit shows, and its voice. */
export function App(props: VisitProps) {
  const colour = props.flow.situation.value.context.plan?.theme.accentColour ?? null
  useDressedDocument(props.wording.value, colour)
  return (
    <>
      <Visit {...props} />
      <SpeechRegions speech={props.speech} />
    </>
  )
}
