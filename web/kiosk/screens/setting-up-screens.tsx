import type { KioskStateOf } from '#web/kiosk/core/state.ts'
import { pairingCodeOf } from '#web/kiosk/staff/pairing-address.ts'
import { Page } from '#web/ui/page.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { type EntryField, EntryForm, pinInput } from './entry-form.tsx'
import { entryTroubleOf } from './entry-trouble.ts'
import { HomeScreenNote } from './home-screen-note.tsx'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskProps } from './kiosk-props.ts'

/** Shown while the page is loading, or while another window runs the kiosk. */
export function StandingByScreen({ state, words }: KioskProps<KioskStateOf<'starting' | 'elsewhere'>>) {
  const isStarting = state.name === 'starting'
  return (
    <Page
      screen={state.name}
      icon={isStarting ? 'face' : 'pause'}
      tone={isStarting ? 'busy' : 'plain'}
      title={kioskHeadingOf(state, words)}
    >
      {!isStarting && <p class="lead">{words.kiosk.text.elsewhere}</p>}
    </Page>
  )
}

/** Asks for the pairing code. */
export function PairingScreen({ state, words, send }: KioskProps<KioskStateOf<'pairing'>>) {
  const { text, button } = words.kiosk
  const field: EntryField = {
    name: 'code',
    label: words.page.text.code,
    input: {
      class: 'code',
      dir: 'ltr',
      maxLength: 20,
      defaultValue: pairingCodeOf(location),
    },
  }
  return (
    <EntryForm
      screen={`pairing ${state.trouble}`}
      icon="link"
      title={kioskHeadingOf(state, words)}
      lead={text.pairing}
      words={words.kiosk}
      fields={[field]}
      keypad="letters"
      trouble={entryTroubleOf(state, words.kiosk)}
      label={button.pair}
      busy={state.busy}
      onEnter={(entered) => send({ type: 'pair', code: entered('code') })}
    >
      <HomeScreenNote words={words} />
    </EntryForm>
  )
}

/** Sets the PIN that protects the staff menu. */
export function NewPinScreen({ state, words, send }: KioskProps<KioskStateOf<'newPin'>>) {
  const { text, button } = words.kiosk
  return (
    <EntryForm
      screen={`newPin ${state.trouble}`}
      icon="person"
      title={kioskHeadingOf(state, words)}
      lead={text.newPin}
      words={words.kiosk}
      fields={[
        { name: 'pin', label: text.pin, input: pinInput },
        { name: 'again', label: text.pinAgain, input: pinInput },
      ]}
      keypad="digits"
      trouble={entryTroubleOf(state, words.kiosk)}
      label={button.savePin}
      busy={false}
      onEnter={(entered) => send({ type: 'choosePin', pin: entered('pin'), again: entered('again') })}
    />
  )
}

/** Shows the progress of storing the files that a check needs. */
export function InstallingScreen({ state, words }: KioskProps<KioskStateOf<'installing'>>) {
  const { text } = words.kiosk
  const title = kioskHeadingOf(state, words)
  return (
    <Page screen={`installing ${state.isStuck}`} icon="cloud" tone="busy" title={title}>
      <ProgressBar share={state.share} label={title} />
      <p class="lead">{state.isStuck ? text.stuck : text.installing}</p>
    </Page>
  )
}
