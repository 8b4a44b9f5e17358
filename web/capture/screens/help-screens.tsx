import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { headingOf } from './heading.ts'
import type { ScreenProps } from './screen-props.ts'

/** Advice for a hint that persists, and alternatives. */
export function HelpScreen({ state, wording, send }: ScreenProps<StateOf<'help'>>) {
  const { button, text, tips } = wording
  return (
    <Page
      screen="help"
      icon="light"
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'closeHelp' })}>
            {button.goOn}
          </Button>
          {state.crowded && <Button onPress={() => send({ type: 'sendAnyway' })}>{button.sendAnyway}</Button>}
          <Button onPress={() => send({ type: 'otherCamera' })}>{button.otherCamera}</Button>
        </>
      }
    >
      {state.crowded && <p class="lead">{text.crowded}</p>}
      <ul class="tips">
        {tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </Page>
  )
}
