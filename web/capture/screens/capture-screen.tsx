import type { ComponentChildren } from 'preact'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { Context, StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Clock } from '#web/ui/clock.tsx'
import { Title } from '#web/ui/title.tsx'
import { fill } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'
import { Pictogram } from './drawings/pictogram.tsx'
import { Stage } from './drawings/stage.tsx'
import { headingOf } from './heading.ts'
import { HintLine, LoadingLine } from './hint-line.tsx'
import type { ScreenProps } from './screen-props.ts'

export type CaptureState = StateOf<'align' | 'hold' | 'done' | 'action' | 'closing' | 'retake' | 'paused'>

interface CaptureProps extends ScreenProps<CaptureState> {
  readonly view: LiveView
  readonly video: HTMLElement
}

/** The screen while the camera is on: text at the top, the person in the oval, buttons at the bottom. */
export function CaptureScreen(props: CaptureProps) {
  const { state, context, view, video } = props
  return (
    <main class="capture">
      <div class="words">
        <Words {...props} />
      </div>
      <Stage
        video={video}
        view={view}
        segments={segmentsOf(context)}
        current={currentSegment(state, context)}
        label={ringLabel(state, context, props.wording)}
        dim={state.name === 'paused'}
      />
      <div class="actions controls">
        <Controls {...props} />
      </div>
    </main>
  )
}

function Words({ state, context, wording, view }: CaptureProps) {
  const count = context.plan?.challenge?.actionCount ?? 1
  if (state.name === 'action') {
    const label = fill(wording.text.stepOf, { step: context.accepted + 1, of: count })
    return (
      <div class="ask">
        <Pictogram action={state.step.action} mirrored={view.mirrored.value} />
        <div class="ask-words">
          <div class="ask-aside">
            {(state.again || count > 1) && <p class="count">{state.again ? wording.hint.again : label}</p>}
            <Clock step={state.step} startedAt={state.startedAt} wording={wording} />
          </div>
          <Title screen={`action ${state.step.step} ${state.startedAt}`}>{headingOf(state, wording)}</Title>
        </div>
        <HintLine view={view} wording={wording} />
      </div>
    )
  }
  if (state.name === 'paused')
    return (
      <div class="ask">
        <Pictogram action={state.step.action} mirrored={view.mirrored.value} />
        <div class="ask-words">
          <Title screen="paused">{headingOf(state, wording)}</Title>
          <p class="lead">{wording.action[state.step.action]}</p>
          <p class="muted">{wording.text.paused}</p>
        </div>
      </div>
    )
  return (
    <>
      <Title screen={state.name}>{headingOf(state, wording)}</Title>
      {state.name === 'retake' ? (
        <p class="lead">{wording.retake[state.fault]}</p>
      ) : (
        <HintLine view={view} wording={wording}>
          {state.name === 'align' && <LoadingLine view={view} wording={wording} />}
          {state.name === 'done' && state.late && <p class="lead">{wording.text.waitingNetwork}</p>}
        </HintLine>
      )}
    </>
  )
}

/** The ring's text alternative. On screen, only the actions are counted. */
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

/** The ring's segments: the first hold, one per action and, if there are actions, the final hold. */
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
