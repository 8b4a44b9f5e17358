import { useEffect } from 'preact/hooks'
import type { Context, StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { byTheEnd } from '#web/wording/by-the-end.ts'
import { AskLink } from './ask-link.tsx'
import { headingOf, patienceOf } from './heading.ts'
import type { ScreenProps } from './screen-props.ts'

type Words = ScreenProps['wording']

/** A guest device does not navigate anywhere, because the other device does that. */
function goodbye({ isGuest }: Context, text: Words['text']): string {
  return isGuest ? text.backToScreen : text.closePage
}

function wayOut({ isGuest }: Context, button: Words['button']): string {
  return isGuest ? button.leave : button.backTo
}

/** Shown while pictures are being sent; explains that the camera is off. */
export function SendingScreen({ state, wording }: ScreenProps<StateOf<'sending'>>) {
  const { text } = wording
  const checking = state.phase !== 'sending'
  const label = headingOf(state, wording)
  return (
    <Page screen="sending" icon="cloud" tone="busy" title={label}>
      <ProgressBar share={checking ? null : state.share} label={label} />
      <p class="fact-line">
        <Icon name="cameraOff" />
        {text.cameraOff}
      </p>
      <p class="lead">{state.late && patienceOf(state, wording)}</p>
    </Page>
  )
}

/** Explains that nothing is lost while there is no network. */
export function OfflineScreen({ state, context, wording, send }: ScreenProps<StateOf<'offline'>>) {
  const isOpening = state.awaiting === 'opening'
  return (
    <Page
      screen="offline"
      icon="cloud"
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'tryNow' })}>
            {wording.button.tryNow}
          </Button>
          {!isOpening && (
            <Button onPress={() => send({ type: 'deleteAndLeave' })}>{wording.button.deleteAndLeave}</Button>
          )}
        </>
      }
    >
      <p class="lead">
        {byTheEnd(isOpening ? wording.text.offlineOpening : wording.text.offline, context, wording)}
      </p>
    </Page>
  )
}

/** The verdict. There is a single page for all failures, whatever the reason. */
export function OutcomeScreen({
  state,
  context,
  wording,
  send,
}: ScreenProps<StateOf<'passed' | 'notCompleted'>>) {
  const { redirectUrl, staying, name } = state
  const { button, text } = wording
  const isLeaving = redirectUrl !== null && !staying
  useStay(isLeaving, send)
  return (
    <Page
      screen={name}
      icon={name === 'passed' ? 'tick' : 'dash'}
      tone={name === 'passed' ? 'good' : 'plain'}
      title={headingOf(state, wording)}
      actions={
        <>
          {redirectUrl !== null && (
            <Button kind="primary" onPress={() => send({ type: 'depart' })}>
              <Phrase text={button.backTo} plan={context.plan} />
            </Button>
          )}
          {name === 'notCompleted' && <AskLink context={context} wording={wording} />}
        </>
      }
    >
      {(name === 'notCompleted' || redirectUrl !== null) && (
        // It keeps its space when the page stays after all, so that nothing moves under a finger.
        <p class="lead" style={{ visibility: name === 'notCompleted' || isLeaving ? 'visible' : 'hidden' }}>
          <Phrase text={text[name]} plan={context.plan} />
        </p>
      )}
      {redirectUrl === null && <p class="muted">{goodbye(context, text)}</p>}
    </Page>
  )
}

/** [Note: Time to read] A page that leaves by itself stays once the person touches it or presses a key (WCAG 2.2.1). */
function useStay(isLeaving: boolean, send: ScreenProps['send']): void {
  useEffect(() => {
    if (!isLeaving) return
    const stay = () => send({ type: 'wait' })
    const touches = ['keydown', 'pointerdown'] as const
    for (const touch of touches) addEventListener(touch, stay)
    return () => {
      for (const touch of touches) removeEventListener(touch, stay)
    }
  }, [isLeaving, send])
}

/** Explains that no check took place and nothing was stored. */
export function DeclinedScreen({ state, context, wording, send }: ScreenProps<StateOf<'declined'>>) {
  const { kind, sent, submission, leaving, redirectUrl } = state
  const { button, text } = wording
  const leadsNowhere = submission === 'complete' && redirectUrl === null
  return (
    <Page
      screen="declined"
      icon="dash"
      title={headingOf(state, wording)}
      actions={
        !leadsNowhere && (
          <>
            <Button kind="primary" busy={leaving} onPress={() => send({ type: 'depart' })}>
              {leaving ? text.leaving : <Phrase text={wayOut(context, button)} plan={context.plan} />}
            </Button>
            {kind === 'declined' && submission === 'none' && (
              <Button kind="quiet" onPress={() => send({ type: 'readAgain' })}>
                {button.readAgain}
              </Button>
            )}
          </>
        )
      }
    >
      <p class="lead">{sent ? text.nothingKept : text.nothingTaken}</p>
      {leadsNowhere && <p class="muted">{goodbye(context, text)}</p>}
    </Page>
  )
}

/** The session's fifteen minutes are over. */
export function TimeOverScreen({ state, context, wording, send }: ScreenProps<StateOf<'timeOver'>>) {
  return (
    <Page
      screen="timeOver"
      icon="clock"
      title={headingOf(state, wording)}
      actions={
        <>
          {state.redirectUrl !== null && (
            <Button kind="primary" onPress={() => send({ type: 'depart' })}>
              <Phrase text={wording.button.backTo} plan={context.plan} />
            </Button>
          )}
          <AskLink context={context} wording={wording} />
        </>
      }
    >
      {state.offline && <p class="lead">{wording.text.timeOverOffline}</p>}
      <p class="lead">
        <Phrase text={wording.text.timeOver} plan={context.plan} />
      </p>
      {state.redirectUrl === null && <p class="muted">{goodbye(context, wording.text)}</p>}
    </Page>
  )
}
