import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { headingOf } from './heading.ts'
import type { ScreenProps } from './screen-props.ts'

/** Requests or offers a passkey. The browser's dialog does the rest. */
export function PasskeyScreen({
  state,
  context,
  wording,
  send,
}: ScreenProps<StateOf<'passkeyAsked' | 'passkeyOffered'>>) {
  const { button, text } = wording
  const { name, phase } = state
  return (
    <Page
      screen={`${name} ${phase}`}
      icon="phone"
      {...(phase === 'busy' && { tone: 'busy' as const })}
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" busy={phase === 'busy'} onPress={() => send({ type: 'usePasskey' })}>
            {name === 'passkeyAsked' ? button.usePasskey : button.addPasskey}
          </Button>
          <Button onPress={() => send({ type: 'withoutPasskey' })}>{button.withoutPasskey}</Button>
        </>
      }
    >
      <p class="lead">
        {phase === 'unused' ? text.passkeyUnused : <Phrase text={text[name]} plan={context.plan} />}
      </p>
    </Page>
  )
}
