import { useEffect } from 'preact/hooks'
import { useDressedDocument } from '#web/ui/dressed-document.ts'
import { SpeechRegions } from '#web/ui/speech-regions.tsx'
import { fill } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'
import { Visit, type VisitProps } from './visit.tsx'

/** The page: the visit's screens and speech. */
export function App(props: VisitProps) {
  const { plan, asker } = props.flow.situation.value.context
  const theme = (plan ?? asker)?.theme
  useDressedDocument(props.wording.value, theme ?? null)
  useTabTitle(props.wording.value, theme?.accountName)
  return (
    <>
      <Visit {...props} />
      <SpeechRegions speech={props.speech} />
    </>
  )
}

/** Sets the tab's title to the name of the account, once known. */
function useTabTitle({ asker }: Wording, account: string | undefined): void {
  const title = account === undefined ? asker.tabAlone : fill(asker.tab, { account })
  useEffect(() => {
    document.title = title
  }, [title])
}
