import { expressionNames } from '#models/rules/analysis.ts'
import type { AnswerKind, KioskStateOf } from '#web/kiosk/core/state.ts'
import type { KioskWording } from '#web/kiosk/wording/kiosk-wording.ts'
import { Button } from '#web/ui/button.tsx'
import type { IconName } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { fill } from '#web/wording/fill.ts'
import { answerWords, kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskProps } from './kiosk-props.ts'

/** Shown when no check can start. It explains that saved captures are safe. */
export function ClosedScreen({ state, words }: KioskProps<KioskStateOf<'closed'>>) {
  return (
    <Page screen={`closed ${state.cause}`} icon="pause" title={kioskHeadingOf(state, words)}>
      <p class="lead">{words.kiosk.text[state.cause]}</p>
    </Page>
  )
}

/** Asks whether the person is still there. */
export function StillThereScreen({ state, words, send }: KioskProps<KioskStateOf<'stillThere'>>) {
  return (
    <Page
      screen="stillThere"
      icon="clock"
      title={kioskHeadingOf(state, words)}
      actions={
        <Button kind="primary" onPress={() => send({ type: 'here' })}>
          {words.kiosk.button.here}
        </Button>
      }
    >
      <p class="lead">{words.kiosk.text.stillThere}</p>
    </Page>
  )
}

const drawings: Readonly<Record<AnswerKind, { readonly icon: IconName; readonly tone: 'good' | 'plain' }>> = {
  passed: { icon: 'tick', tone: 'good' },
  staff: { icon: 'person', tone: 'plain' },
  later: { icon: 'clock', tone: 'plain' },
  nothing: { icon: 'dash', tone: 'plain' },
  notKept: { icon: 'pause', tone: 'plain' },
}

/** The immediate answer. There is a single page for all failures, whatever the reason. */
export function AnswerScreen({ state, words, kiosk, send }: KioskProps<KioskStateOf<'answer'>>) {
  const { button, text } = words.kiosk
  const { title, text: sentence } = answerWords(state.answer, words, kiosk.settings.value?.outcomeTexts)
  const expression = expressionOf(state.expression, words.kiosk)
  return (
    <Page
      screen={`answer ${state.answer}`}
      {...drawings[state.answer]}
      title={title}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'finish' })}>
            {button.finish}
          </Button>
          {!state.staying && <Button onPress={() => send({ type: 'keep' })}>{button.keep}</Button>}
        </>
      }
    >
      {sentence !== undefined && (
        <p class="lead" dir="auto">
          {sentence}
        </p>
      )}
      {expression !== null && <p class="lead">{fill(text.expression, { expression })}</p>}
      {!state.staying && <p class="muted">{text.clears}</p>}
    </Page>
  )
}

function expressionOf(name: string | null, { expression }: KioskWording): string | null {
  const known = expressionNames.find((one) => one === name)
  return known === undefined ? null : expression[known]
}
