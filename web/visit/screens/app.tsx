import { useDressedDocument } from '#web/ui/dressed-document.ts'
import { SpeechRegions } from '#web/ui/speech-regions.tsx'
import { Visit, type VisitProps } from './visit.tsx'

/** The page: what the visit shows, and its voice. */
export function App(props: VisitProps) {
  const theme = props.flow.situation.value.context.plan?.theme ?? null
  useDressedDocument(props.wording.value, theme)
  return (
    <>
      <Visit {...props} />
      <SpeechRegions speech={props.speech} />
    </>
  )
}
