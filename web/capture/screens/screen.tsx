import type { ComponentType } from 'preact'
import type { Context, State, StateName, StateOf } from '#web/capture/machine/state.ts'
import type { Wording } from '#web/wording/wording.ts'
import { CaptureScreen } from './capture-screen.tsx'
import { ConsentScreen } from './consent-screen.tsx'
import {
  DeclinedScreen,
  OfflineScreen,
  OutcomeScreen,
  SendingScreen,
  TimeOverScreen,
} from './finishing-screens.tsx'
import { FurtherTryScreen } from './further-try-screen.tsx'
import { CodeEntryScreen, MovedScreen, NumberCheckScreen } from './guest-screens.tsx'
import { FollowingScreen, HandoffScreen } from './handoff-screens.tsx'
import { HelpScreen } from './help-screens.tsx'
import {
  AnotherWayScreen,
  AskingScreen,
  OpeningScreen,
  ReadyScreen,
  StartingScreen,
} from './opening-screens.tsx'
import { PasskeyScreen } from './passkey-screen.tsx'
import { CameraProblemScreen, LinkProblemScreen } from './problem-screens.tsx'
import type { ScreenProps, VisitOnScreen } from './screen-props.ts'

type VisibleProps<S extends State> = ScreenProps<S> & Pick<VisitOnScreen, 'view' | 'video' | 'elsewhere'>

const screens: { readonly [N in StateName]: ComponentType<VisibleProps<StateOf<N>>> } = {
  opening: OpeningScreen,
  linkProblem: LinkProblemScreen,
  consent: ConsentScreen,
  anotherWay: AnotherWayScreen,
  ready: ReadyScreen,
  asking: AskingScreen,
  starting: StartingScreen,
  align: CaptureScreen,
  hold: CaptureScreen,
  done: CaptureScreen,
  action: CaptureScreen,
  closing: CaptureScreen,
  retake: CaptureScreen,
  paused: CaptureScreen,
  help: HelpScreen,
  sending: SendingScreen,
  offline: OfflineScreen,
  furtherTry: FurtherTryScreen,
  passed: OutcomeScreen,
  notCompleted: OutcomeScreen,
  declined: DeclinedScreen,
  timeOver: TimeOverScreen,
  handoff: HandoffScreen,
  following: FollowingScreen,
  numberCheck: NumberCheckScreen,
  codeEntry: CodeEntryScreen,
  moved: MovedScreen,
  passkeyAsked: PasskeyScreen,
  passkeyOffered: PasskeyScreen,
  cameraProblem: CameraProblemScreen,
}

interface ScreenOfState {
  readonly state: State
  readonly context: Context
  readonly wording: Wording
  readonly flow: VisitOnScreen
}

export function Screen({ state, context, wording, flow: { send, view, video, elsewhere } }: ScreenOfState) {
  const Current = screens[state.name] as ComponentType<VisibleProps<State>>
  return <Current {...{ state, context, wording, send, view, video, elsewhere }} />
}
