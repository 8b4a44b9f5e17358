import type { ComponentChildren } from 'preact'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { Context, StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Clock } from '#web/ui/clock.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Title } from '#web/ui/title.tsx'
import { fill } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'
import { Stage } from './drawings/stage.tsx'
import { headingOf } from './heading.ts'
import { HintLine, LoadingLine } from './hint-line.tsx'
import type { ScreenProps } from './screen-props.ts'

export type CaptureState = StateOf<'align' | 'hold' | 'done' | 'action' | 'closing' | 'retake' | 'paused'>

interface CaptureProps extends ScreenProps<CaptureState> {
  readonly view: LiveView
  readonly video: HTMLElement
}

/** The screen while the camera is on: one instruction at the top, the person in the oval, buttons at the bottom. */
export function CaptureScreen(props: CaptureProps) {
  const { state, context, view, video, wording } = props
  return (
    <main class="capture">
      <div class="words">
        <Title screen={screenOf(state)}>{headingOf(state, wording)}</Title>
        {state.name === 'paused' || state.name === 'retake' ? (
          <div class="hint-line">
            <SecondLine {...props} />
          </div>
        ) : (
          <HintLine view={view} wording={wording}>
            <SecondLine {...props} />
          </HintLine>
        )}
      </div>
      <Stage
        video={video}
        view={view}
        action={state.name === 'action' || state.name === 'paused' ? state.step.action : null}
        isClosed={state.name === 'done' && state.after !== 'request'}
        label={ringLabel(state, context, wording)}
        dim={state.name === 'paused'}
      />
      <div class="actions controls">
        <Controls {...props} />
      </div>
    </main>
  )
}

/** The heading takes the focus whenever this changes. */
function screenOf(state: CaptureState): string {
  return state.name === 'action' ? `action ${state.step.step} ${state.startedAt}` : state.name
}

/** The instruction's second line while there is no hint. */
function SecondLine({ state, context, wording, view }: CaptureProps) {
  const { text, title, hint, retake } = wording
  const of = context.plan?.challenge?.actionCount ?? 1
  switch (state.name) {
    case 'align':
      return <LoadingLine view={view} wording={wording} />
    case 'done':
      if (state.late) return <p>{text.waitingNetwork}</p>
      return state.after === 'request' ? <Waiting label={title.waiting} /> : null
    case 'retake':
      return <p>{retake[state.fault]}</p>
    case 'paused':
      return <p>{text.paused}</p>
    case 'action':
      return (
        <div class="ask-aside">
          {(state.again || of > 1) && (
            <p class="count">
              {state.again ? hint.again : fill(text.stepOf, { step: context.accepted + 1, of })}
            </p>
          )}
          <Clock step={state.step} startedAt={state.startedAt} wording={wording} />
        </div>
      )
    default:
      return null
  }
}

/** Shows that the server is being waited for, unless it answers at once. */
function Waiting({ label }: { label: string }) {
  return (
    <div class="loading-line after-a-moment">
      <ProgressBar share={null} label={label} />
    </div>
  )
}

/** The drawing's text alternative. On screen, only the actions are counted. */
function ringLabel(state: CaptureState, context: Context, { text }: Wording): string {
  const step = Math.min(currentSegment(state, context) + 1, segmentsOf(context))
  return fill(text.segmentOf, { step, of: segmentsOf(context) })
}

function Controls({ state, wording, send, view }: CaptureProps): ComponentChildren {
  const { button } = wording
  switch (state.name) {
    case 'align':
    case 'hold':
      return (
        <>
          <Brighten view={view} wording={wording} />
          {state.helpOffered && view.crowded.value && (
            <Button onPress={() => send({ type: 'sendAnyway' })}>{button.sendAnyway}</Button>
          )}
          {state.helpOffered && (
            <Button onPress={() => send({ type: 'help', crowded: view.crowded.peek() })}>
              {button.help}
            </Button>
          )}
        </>
      )
    case 'action':
      return (
        <>
          <Button onPress={() => send({ type: 'moreTime' })}>{button.moreTime}</Button>
          <Button onPress={() => send({ type: 'otherAction' })}>{button.cannotDo}</Button>
        </>
      )
    case 'retake':
      return (
        <Button kind="primary" onPress={() => send({ type: 'takeAgain' })}>
          {button.takeAgain}
        </Button>
      )
    case 'paused':
      return (
        <>
          <Button kind="primary" onPress={() => send({ type: 'continue' })}>
            {button.continue}
          </Button>
          <Button onPress={() => send({ type: 'otherAction' })}>{button.cannotDo}</Button>
        </>
      )
    default:
      return null
  }
}

/** In the dark, the screen can serve as a light. It is steady and never flashes. */
function Brighten({ view, wording }: { view: LiveView; wording: Wording }) {
  const bright = document.documentElement.dataset.bright === 'true'
  const dark = view.hint.value === 'tooDark' || view.hint.value === 'toLight'
  if (!dark && !bright) return null
  const toggle = () => {
    document.documentElement.dataset.bright = String(!bright)
  }
  return <Button onPress={toggle}>{bright ? wording.button.darken : wording.button.brighten}</Button>
}

/** How often the ring is filled: in the first hold, once per action and, if there are actions, in the final hold. */
function segmentsOf({ plan }: Context): number {
  const actions = plan?.challenge?.actionCount ?? 0
  return actions === 0 ? 1 : actions + 2
}

function currentSegment(state: CaptureState, context: Context): number {
  switch (state.name) {
    case 'align':
    case 'hold':
      return 0
    case 'done':
      return context.accepted + (state.after === 'action' ? 2 : 1)
    case 'action':
    case 'paused':
      return context.accepted + 1
    case 'closing':
    case 'retake':
      return segmentsOf(context) - 1
  }
}
