import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { isHandheld } from '#web/ui/handheld.ts'
import { Page } from '#web/ui/page.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { browserKindOf } from './drawings/browser-kind.ts'
import { PermissionPrompt } from './drawings/permission-prompt.tsx'
import { Preparation } from './drawings/preparation.tsx'
import { headingOf } from './heading.ts'
import { LoadingLine } from './hint-line.tsx'
import { CameraChoice, PhoneButton } from './phone-button.tsx'
import type { ScreenProps } from './screen-props.ts'

/** Shown while the session is being opened. The bar appears with a delay. */
export function OpeningScreen({ state, wording, send }: ScreenProps<StateOf<'opening'>>) {
  const { title, button } = wording
  const { slow, checking = false } = state
  return (
    <Page
      screen={`opening ${slow} ${checking}`}
      icon="face"
      tone="busy"
      title={headingOf(state, wording)}
      actions={
        slow &&
        !checking && (
          <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
            {button.tryAgain}
          </Button>
        )
      }
    >
      <div class="after-a-moment">
        <ProgressBar share={null} label={checking ? title.checking : title.opening} />
      </div>
    </Page>
  )
}

/** The integrator's alternative for people who do not want to show their face. It is a link if there is an address for it. */
export function AnotherWayScreen({ state, context, wording, send }: ScreenProps<StateOf<'anotherWay'>>) {
  const { alternative } = context.plan ?? {}
  return (
    <Page
      screen="anotherWay"
      icon="person"
      title={headingOf(state, wording)}
      actions={
        <>
          {alternative !== undefined && (
            <Button kind="primary" onPress={() => send({ type: 'takeOtherWay' })}>
              {wording.links.takeOtherWay}
            </Button>
          )}
          <Button
            kind={alternative === undefined ? 'primary' : 'secondary'}
            onPress={() => send({ type: 'back' })}
          >
            {wording.button.back}
          </Button>
          <Button onPress={() => send({ type: 'leave' })}>{wording.button.leave}</Button>
        </>
      }
    >
      {alternative?.text ? (
        <p class="lead" dir="auto">
          {alternative.text}
        </p>
      ) : (
        <p class="lead">
          <Phrase
            text={alternative === undefined ? wording.text.anotherWay : wording.furtherTry.otherWay}
            plan={context.plan}
          />
        </p>
      )}
    </Page>
  )
}

/** The last screen before the camera, which is only requested when the person presses its button. */
export function ReadyScreen({ state, context, wording, send }: ScreenProps<StateOf<'ready'>>) {
  const moves = (context.plan?.challenge ?? null) !== null
  return (
    <Page
      screen="ready"
      icon="light"
      drawing={true}
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'startCamera' })}>
            {wording.button.startCamera}
          </Button>
          <PhoneButton kind="secondary" {...{ context, wording, send }} />
        </>
      }
    >
      <Preparation isHandheld={isHandheld()} moves={moves} wording={wording} />
      <p class="muted">{wording.getReady.time}</p>
    </Page>
  )
}

/**
 * Shown while the browser asks for permission. A drawing shows where to look. [Note: A camera that never opens] Browsers only reveal the
 * names of cameras once the page may use them. If there are names, it is the camera that does not answer, and another one may.
 */
export function AskingScreen({ state, context, wording, view, send }: CameraScreenProps<'asking'>) {
  const isAllowed = view.cameras.value.some(({ label }) => label !== '')
  return (
    <Page
      screen="asking"
      icon="camera"
      drawing={<PermissionPrompt browser={browserKindOf(navigator)} />}
      title={headingOf(state, wording)}
      actions={
        state.late && (
          <>
            <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
              {wording.button.tryAgain}
            </Button>
            {isAllowed && <CameraChoice {...{ view, wording, send }} />}
            <PhoneButton kind="secondary" {...{ context, wording, send }} />
          </>
        )
      }
    >
      <p class="lead">
        {state.late && (isAllowed ? wording.surroundings.noPicture.text : wording.hint.addressBar)}
      </p>
    </Page>
  )
}

/** [Note: A camera and a network] Retrying only helps with a camera that does not start. For a slow network, the page just waits. */
export function StartingScreen({ state, context, wording, view, send }: CameraScreenProps<'starting'>) {
  const { camera, slow } = state
  const isDark = slow && !camera
  return (
    <Page
      screen={camera ? 'starting loading' : 'starting'}
      icon={camera ? 'cloud' : 'camera'}
      tone="busy"
      title={headingOf(state, wording)}
      actions={
        isDark && (
          <>
            <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
              {wording.button.tryAgain}
            </Button>
            <CameraChoice {...{ view, wording, send }} />
            <PhoneButton kind="secondary" {...{ context, wording, send }} />
          </>
        )
      }
    >
      {isDark && <p class="lead">{wording.surroundings.noPicture.text}</p>}
      {camera && <LoadingLine view={view} wording={wording} />}
      {camera && slow && <p class="lead">{wording.text.starting}</p>}
    </Page>
  )
}

interface CameraScreenProps<N extends 'asking' | 'starting'> extends ScreenProps<StateOf<N>> {
  readonly view: LiveView
}
