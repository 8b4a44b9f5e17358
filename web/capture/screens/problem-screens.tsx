import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import type { IconName } from '#web/ui/icon.tsx'
import { Page } from '#web/ui/page.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { type CameraCause, isSurrounding, type LinkProblem } from '#web/wording/findings.ts'
import { AskLink } from './ask-link.tsx'
import { CopyLink } from './copy-link.tsx'
import { AddressBar } from './drawings/address-bar.tsx'
import { browserKindOf } from './drawings/browser-kind.ts'
import { headingOf } from './heading.ts'
import { CameraChoice, PhoneButton } from './phone-button.tsx'
import type { ScreenProps } from './screen-props.ts'

const linkIcons: Record<LinkProblem, IconName> = {
  missing: 'link',
  wrong: 'link',
  gone: 'link',
  tooMany: 'clock',
  unreachable: 'cloud',
  finished: 'tick',
}

/** Explains why a link cannot be opened and what to do about it. */
export function LinkProblemScreen({ state, context, wording, send }: ScreenProps<StateOf<'linkProblem'>>) {
  const { problem, redirectUrl, nextTryAt } = state
  const isPassing = problem === 'unreachable'
  const mayRetry = isPassing || problem === 'tooMany'
  return (
    <Page
      screen={`link ${problem}`}
      icon={linkIcons[problem]}
      title={headingOf(state, wording)}
      actions={
        <>
          {mayRetry && (
            <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
              {wording.button.tryAgain}
            </Button>
          )}
          {redirectUrl !== null && (
            <Button kind="primary" onPress={() => send({ type: 'depart' })}>
              <Phrase text={wording.button.backTo} plan={context.plan} />
            </Button>
          )}
          {redirectUrl === null && !mayRetry && history.length > 1 && (
            <Button kind="primary" onPress={() => history.back()}>
              {wording.button.back}
            </Button>
          )}
          {!isPassing && <AskLink context={context} wording={wording} />}
        </>
      }
    >
      <p class="lead">
        <Phrase text={wording.linkText[problem]} plan={context.plan} />
      </p>
      {nextTryAt !== undefined && <TimeLeft text={wording.text.nextTry} until={nextTryAt} />}
      {redirectUrl === null && !mayRetry && <p class="muted">{wording.text.closePage}</p>}
    </Page>
  )
}

interface CameraProblemProps extends ScreenProps<StateOf<'cameraProblem'>> {
  /** A link that continues the session in another tab; null before the session is open. */
  readonly elsewhere: () => string | null
  readonly view: LiveView
}

/** Problems that might not occur with a different camera. */
const ofOneCamera: ReadonlySet<CameraCause> = new Set<CameraCause>([
  'noPicture',
  'smallPicture',
  'noCamera',
  'inUse',
  'stopped',
])

/** Explains exactly why the camera does not work and what to do about it. */
export function CameraProblemScreen({ state, context, wording, view, send, elsewhere }: CameraProblemProps) {
  const { cause } = state
  const hasSession = context.plan !== null
  return (
    <Page
      screen={`camera ${cause}`}
      icon={cause === 'away' || cause === 'reconnected' ? 'pause' : 'cameraOff'}
      drawing={cause === 'blocked' && <AddressBar browser={browserKindOf(navigator)} />}
      title={headingOf(state, wording)}
      actions={
        <>
          <Remedy {...{ state, context, wording, view, send, elsewhere }} />
          {ofOneCamera.has(cause) && <CameraChoice {...{ view, wording, send }} />}
          {cause !== 'away' && cause !== 'reconnected' && (
            <PhoneButton kind="secondary" {...{ context, wording, send }} />
          )}
          {hasSession && cause !== 'away' && cause !== 'reconnected' && (
            <div class="asides">
              <Button kind="quiet" onPress={() => send({ type: 'anotherWay' })}>
                {wording.button.anotherWay}
              </Button>
            </div>
          )}
        </>
      }
    >
      <p class="lead">{remedyText(cause, wording)}</p>
    </Page>
  )
}

function Remedy({ state, wording, send, elsewhere }: CameraProblemProps) {
  const { button } = wording
  const url = elsewhere() ?? location.href
  switch (state.cause) {
    case 'embedded':
      return (
        <a class="button primary" href={url} target="_blank" rel="noopener">
          {button.newTab}
        </a>
      )
    case 'unsupportedApp':
    case 'oldBrowser':
    case 'hiddenPictures':
    case 'noWebAssembly':
    case 'tooSlow':
      return <CopyLink kind="primary" url={url} wording={wording} />
    default:
      return (
        <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
          {retryLabel(state.cause, button)}
        </Button>
      )
  }
}

function retryLabel(cause: CameraCause, button: ScreenProps['wording']['button']): string {
  if (cause === 'dismissed') return button.askAgain
  if (cause === 'stopped') return button.startAgain
  return cause === 'away' || cause === 'reconnected' ? button.continue : button.tryAgain
}

function remedyText(cause: CameraCause, wording: ScreenProps['wording']): string {
  const browser = browserKindOf(navigator)
  if (isSurrounding(cause)) return wording.surroundings[cause].text
  if (cause === 'wrongFile') return wording.loading.wrongFile
  if (browser === 'ios') return wording.cameraTextIos[cause] ?? wording.cameraText[cause]
  if (cause !== 'blocked' || browser === 'chrome') return wording.cameraText[cause]
  return wording.unblock[browser]
}
