import { useRef } from 'preact/hooks'
import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { headingOf } from './heading.ts'
import type { ScreenProps } from './screen-props.ts'

/**
 * [Note: Whose check it is] A code may come from anywhere, such as a poster or an attacker who wants someone else's face
 * for their own check. So the phone first shows the party behind the check and its region, and continues only if the
 * person sees the same number on the other screen.
 */
export function NumberCheckScreen({ state, context, wording, send }: ScreenProps<StateOf<'numberCheck'>>) {
  const { button, text } = wording
  return (
    <Page
      screen="numberCheck"
      icon="phone"
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'sameNumber' })}>
            {button.sameNumber}
          </Button>
          <Button onPress={() => send({ type: 'otherNumber' })}>{button.otherNumber}</Button>
        </>
      }
    >
      <p class="number">{state.number}</p>
      <p class="lead">
        <Phrase text={text.numberCheck} plan={context.plan} />
      </p>
      <p class="fact-line">
        <Icon name="link" />
        <bdi>{location.host}</bdi>
      </p>
    </Page>
  )
}

/** A form for a code that could not be scanned, or for correcting a wrong one. */
export function CodeEntryScreen({ state, wording, send }: ScreenProps<StateOf<'codeEntry'>>) {
  const field = useRef<HTMLInputElement>(null)
  const { button, text } = wording
  const submit = (event?: Event) => {
    event?.preventDefault()
    const code = field.current?.value.trim() ?? ''
    if (code === '') field.current?.focus()
    else send({ type: 'codeTyped', code })
  }
  return (
    <Page
      screen={`codeEntry ${state.wrong}`}
      icon="phone"
      title={headingOf(state, wording)}
      actions={
        <Button kind="primary" busy={state.busy} onPress={submit}>
          {state.busy ? text.leaving : button.continue}
        </Button>
      }
    >
      <p class="lead">{state.wrong ? text.codeWrong : text.codeEntry}</p>
      <form class="code-entry" onSubmit={submit}>
        <label for="code">{text.code}</label>
        <input
          id="code"
          ref={field}
          class="code"
          dir="ltr"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={20}
          aria-invalid={state.wrong}
        />
      </form>
    </Page>
  )
}

/** The check continues on another device, or it was someone else's check. There is nothing left to do here. */
export function MovedScreen({ state, wording }: ScreenProps<StateOf<'moved'>>) {
  const { text } = wording
  return (
    <Page screen="moved" icon="dash" title={headingOf(state, wording)}>
      <p class="lead">{state.refused ? text.nothingTaken : text.moved}</p>
      <p class="muted">{text.closePage}</p>
    </Page>
  )
}
