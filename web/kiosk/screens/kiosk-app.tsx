import { computed, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { VisitOnScreen } from '#web/capture/screens/screen-props.ts'
import { Visit } from '#web/capture/screens/visit.tsx'
import type { KioskEvent, KioskSituation } from '#web/kiosk/core/state.ts'
import type { KioskWords } from '#web/kiosk/wording/kiosk-wording.ts'
import { useDressedDocument } from '#web/ui/dressed-document.ts'
import type { Speech } from '#web/ui/speech.ts'
import { SpeechRegions } from '#web/ui/speech-regions.tsx'
import type { KioskProps } from './kiosk-props.ts'
import { kioskSaidOf } from './kiosk-said.ts'
import { KioskScreen } from './kiosk-screen.tsx'
import { KioskShell } from './kiosk-shell.tsx'

/** A kiosk to show, which is either running or a preview. */
export interface ShownKiosk {
  readonly situation: ReadonlySignal<KioskSituation>
  readonly visit: ReadonlySignal<VisitOnScreen | null>
  readonly send: (event: KioskEvent) => void
}

interface KioskAppProps extends Pick<KioskProps, 'kiosk' | 'chooseLanguage' | 'cameras'> {
  readonly flow: ShownKiosk
  readonly words: ReadonlySignal<KioskWords>
  readonly speech: Speech
}

/** The kiosk's page: the capture page's screens during a visit, otherwise the kiosk's own, plus speech. */
export function KioskApp({ flow, words, speech, ...given }: KioskAppProps) {
  const { state } = flow.situation.value
  const wording = useMemo(() => computed(() => words.value.page), [words])
  const said = kioskSaidOf(state, words.value, given.kiosk.settings.value?.outcomeTexts)
  useEffect(() => {
    if (said !== undefined) speech.say(said)
  }, [said, state.name, speech])
  useDressedDocument(wording.value, given.kiosk.settings.value?.capturePlan.theme ?? null)
  const visit = flow.visit.value
  return (
    <>
      {state.name !== 'visit' ? (
        <KioskShell state={state} words={words.value} send={flow.send} {...given}>
          <KioskScreen state={state} words={words.value} send={flow.send} {...given} />
        </KioskShell>
      ) : (
        visit !== null && <Visit flow={visit} wording={wording} speech={speech} />
      )}
      <SpeechRegions speech={speech} />
    </>
  )
}
