import { type KioskStateOf, menuSections } from '#web/kiosk/core/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { EntryForm, pinInput } from './entry-form.tsx'
import { entryTroubleOf } from './entry-trouble.ts'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskProps } from './kiosk-props.ts'
import { Standing } from './standing.tsx'

/** Asks for the PIN. Each wrong PIN increases the wait before the next attempt. */
export function PinScreen({ state, words, send }: KioskProps<KioskStateOf<'pin'>>) {
  const { text, button } = words.kiosk
  return (
    <EntryForm
      screen={`pin ${state.isWrong}`}
      icon="person"
      title={kioskHeadingOf(state, words)}
      words={words.kiosk}
      fields={[{ name: 'pin', label: text.pin, input: pinInput }]}
      keypad="digits"
      trouble={entryTroubleOf(state, words.kiosk)}
      label={button.open}
      busy={state.busy}
      onEnter={(entered) => send({ type: 'enterPin', pin: entered('pin') })}
      aside={<Button onPress={() => send({ type: 'close' })}>{words.page.button.close}</Button>}
    >
      {state.waitUntil !== null && <TimeLeft text={words.page.text.nextTry} until={state.waitUntil} />}
    </EntryForm>
  )
}

export function MenuScreen({ state, words, kiosk, send }: KioskProps<KioskStateOf<'menu'>>) {
  return (
    <Page
      screen="menu"
      icon="person"
      title={kioskHeadingOf(state, words)}
      actions={<Button onPress={() => send({ type: 'close' })}>{words.page.button.close}</Button>}
    >
      <p class="lead">
        <bdi>{kiosk.name.value}</bdi>
      </p>
      <Standing words={words} kiosk={kiosk} />
      <nav class="sections" aria-label={kioskHeadingOf(state, words)}>
        {menuSections.map((section) => (
          <Button key={section} onPress={() => send({ type: 'openSection', section })}>
            {words.kiosk.title[section]}
          </Button>
        ))}
      </nav>
    </Page>
  )
}

/** Buttons that lead back to the menu and out of it. */
export function StaffWays({ words, send }: Pick<KioskProps, 'words' | 'send'>) {
  const { button } = words.page
  return (
    <div class="ways">
      <Button onPress={() => send({ type: 'back' })}>{button.back}</Button>
      <Button onPress={() => send({ type: 'close' })}>{button.close}</Button>
    </div>
  )
}

/** Unpairs the kiosk after its name was typed. Asks for a second confirmation if captures would be lost. */
export function UnpairScreen({ state, words, kiosk, send }: KioskProps<KioskStateOf<'unpair'>>) {
  const { text, button, waiting } = words.kiosk
  const name = kiosk.name.value ?? ''
  const isAsked = state.trouble === 'waiting'
  return (
    <EntryForm
      screen={`unpair ${state.trouble}`}
      icon="link"
      title={kioskHeadingOf(state, words)}
      lead={isAsked ? count(words.kiosk.locale, waiting, unsentOf(kiosk)) : fill(text.unpair, { name })}
      words={words.kiosk}
      fields={[{ name: 'name', label: text.name, input: { maxLength: 100 } }]}
      trouble={entryTroubleOf(state, words.kiosk)}
      label={isAsked ? button.unpairAnyway : button.unpair}
      busy={state.busy}
      onEnter={(entered) => send({ type: 'unpair', name: entered('name') })}
      aside={<StaffWays words={words} send={send} />}
    />
  )
}

/** How many captures would be lost. */
function unsentOf({ queue }: KioskProps['kiosk']): number {
  const { waiting, setAside } = queue.value
  return waiting + setAside
}
