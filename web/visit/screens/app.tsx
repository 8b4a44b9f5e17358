import { useDressedDocument } from '#web/ui/dressed-document.ts'
import { SpeechRegions } from '#web/ui/speech-regions.tsx'
import { Visit, type VisitProps } from './visit.tsx'

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
