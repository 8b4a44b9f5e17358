import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { headingOf } from './heading.ts'
import { CameraChoice } from './phone-button.tsx'
import type { ScreenProps } from './screen-props.ts'

interface HelpProps extends ScreenProps<StateOf<'help'>> {
  readonly view: LiveView
}

/** Tips for a hint that will not go away, and ways to get around it. */
export function HelpScreen({ state, wording, view, send }: HelpProps) {
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
          <CameraChoice {...{ view, wording, send }} always={true} />
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
