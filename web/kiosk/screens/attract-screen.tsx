import type { KioskStateOf } from '#web/kiosk/core/state.ts'
import { kioskLocales } from '#web/kiosk/wording/kiosk-languages.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Title } from '#web/ui/title.tsx'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskProps } from './kiosk-props.ts'

/** The screen between two visits. */
export function AttractScreen(props: KioskProps<KioskStateOf<'attract'>>) {
  const { state, words, send } = props
  return (
    <main class="page attract">
      <div class="page-body">
        <div class="emblem">
          <Icon name="face" size={72} />
        </div>
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
          {ownNameOf(locale)}
        </button>
      ))}
    </nav>
  )
}

function ownNameOf(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1)
}
