import type { Context, StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { count } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'
import { AskLink } from './ask-link.tsx'
import { headingOf } from './heading.ts'
import type { ScreenProps } from './screen-props.ts'

/** Offers another try. The text is the same for every reason, except for advice based on what the device observed. */
export function FurtherTryScreen({ state, context, wording, send }: ScreenProps<StateOf<'furtherTry'>>) {
  const { button } = wording
  return (
    <Page
      screen={`furtherTry ${context.attempt}`}
      icon="face"
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
            {button.tryAgain}
          </Button>
          <div class="asides">
            <Button kind="quiet" onPress={() => send({ type: 'leave' })}>
              {context.isGuest ? button.leave : <Phrase text={button.backTo} plan={context.plan} />}
            </Button>
            <AskLink context={context} wording={wording} />
            {context.plan?.alternative !== undefined && (
              <Button kind="quiet" onPress={() => send({ type: 'anotherWay' })}>
                {button.anotherWay}
              </Button>
            )}
          </div>
        </>
      }
    >
      {furtherTryLines(context.furtherTry, wording).map((line) => (
        <p class="lead" key={line}>
          {line}
        </p>
      ))}
    </Page>
  )
}

/** The text below the heading. */
export function furtherTryLines(offered: Context['furtherTry'], wording: Wording): readonly string[] {
  const { furtherTry: words, tries, locale } = wording
  if (offered === null) return [words.text]
  const { tip, attemptsLeft } = offered
  return [words.text, ...(tip === null ? [] : [words[tip]]), count(locale, tries, attemptsLeft)]
}
