import type { Context, State } from '#web/visit/machine/state.ts'
import type { Wording } from '#web/wording/wording.ts'
import { CaptureScreen } from './capture-screen.tsx'
import {
  DeclinedScreen,
  OfflineScreen,
  OutcomeScreen,
  SendingScreen,
  TimeOverScreen,
} from './finishing-screens.tsx'
import { CodeEntryScreen, MovedScreen, NumberCheckScreen } from './guest-screens.tsx'
import { FollowingScreen, HandoffScreen } from './handoff-screens.tsx'
import { HelpScreen } from './help-screens.tsx'
import {
  AnotherWayScreen,
  AskingScreen,
  ConsentScreen,
  OpeningScreen,
  ReadyScreen,
  StartingScreen,
} from './opening-screens.tsx'
import { CameraProblemScreen, LinkProblemScreen } from './problem-screens.tsx'
import type { Shown } from './screen-props.ts'

interface ScreenOfState {
  readonly state: State
  readonly context: Context
  readonly wording: Wording
  readonly flow: Shown
}

/** The screen of a state: the page's table of contents. */
export function Screen({ state, context, wording, flow }: ScreenOfState) {
  const { send, view, video, elsewhere } = flow
  const given = { context, wording, send }
  switch (state.name) {
    case 'opening':
      return <OpeningScreen state={state} {...given} />
    case 'linkProblem':
      return <LinkProblemScreen state={state} {...given} />
    case 'consent':
      return <ConsentScreen state={state} {...given} />
    case 'anotherWay':
      return <AnotherWayScreen state={state} {...given} />
    case 'ready':
      return <ReadyScreen state={state} {...given} />
    case 'asking':
      return <AskingScreen state={state} {...given} />
    case 'starting':
      return <StartingScreen state={state} {...given} />
    case 'align':
    case 'hold':
    case 'done':
    case 'action':
    case 'closing':
    case 'retake':
    case 'paused':
      return <CaptureScreen state={state} {...given} view={view} video={video} />
    case 'help':
      return <HelpScreen state={state} {...given} />
    case 'sending':
      return <SendingScreen state={state} {...given} />
    case 'offline':
      return <OfflineScreen state={state} {...given} />
    case 'passed':
    case 'notCompleted':
      return <OutcomeScreen state={state} {...given} />
    case 'declined':
      return <DeclinedScreen state={state} {...given} />
    case 'timeOver':
      return <TimeOverScreen state={state} {...given} />
    case 'handoff':
      return <HandoffScreen state={state} {...given} />
    case 'following':
      return <FollowingScreen state={state} {...given} />
    case 'numberCheck':
      return <NumberCheckScreen state={state} {...given} />
    case 'codeEntry':
      return <CodeEntryScreen state={state} {...given} />
    case 'moved':
      return <MovedScreen state={state} {...given} />
    case 'cameraProblem':
      return <CameraProblemScreen state={state} {...given} elsewhere={elsewhere} />
  }
}
