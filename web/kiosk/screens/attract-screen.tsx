import { useEffect, useState } from 'preact/hooks'
import { Head } from '#web/capture/screens/drawings/head.tsx'
import type { KioskStateOf } from '#web/kiosk/core/state.ts'
import { kioskLocales } from '#web/kiosk/wording/kiosk-languages.ts'
import { Button } from '#web/ui/button.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { Title } from '#web/ui/title.tsx'
import { Endonym } from './endonym.tsx'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskProps } from './kiosk-props.ts'

/** The screen between two visits, for people who are still walking past. */
export function AttractScreen(props: KioskProps<KioskStateOf<'attract'>>) {
  const { state, words, kiosk, send } = props
  return (
    <main class="page attract">
      <div class="page-body">
        <div class="attract-mark">
          <Mark plan={kiosk.settings.value?.capturePlan ?? null} />
        </div>
        <LookingAround />
        <Title screen={`attract ${words.kiosk.locale}`}>{kioskHeadingOf(state, words)}</Title>
        <div class="actions">
          <Button kind="primary" busy={state.busy} onPress={() => send({ type: 'start' })}>
            {words.kiosk.button.start}
          </Button>
        </div>
        <Languages {...props} />
      </div>
    </main>
  )
}

const restMilliseconds = 30_000

/** A head that looks around now and then, for less than five seconds at a time (WCAG 2.2.2). */
function LookingAround() {
  const [round, setRound] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setRound((before) => before + 1), restMilliseconds)
    return () => clearInterval(timer)
  }, [])
  return (
    <svg class="scene with-moves attract-head" key={round} viewBox="12 4 72 76" aria-hidden="true">
      <Head />
    </svg>
  )
}

/** The languages, each under its own name. */
function Languages({ words, chooseLanguage }: KioskProps) {
  return (
    <nav class="languages" aria-label={words.kiosk.text.languages}>
      {kioskLocales.map((locale) => (
        <button
          key={locale}
          type="button"
          class="button language"
          lang={locale}
          aria-pressed={locale === words.kiosk.locale}
          onClick={() => chooseLanguage(locale)}
        >
          <Endonym locale={locale} />
        </button>
      ))}
    </nav>
  )
}
