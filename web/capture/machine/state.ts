import type { CapturePlan, NextStep, TestOutcome } from '#shared/contract/sessions/session.ts'
import type { AnalysisFailure } from '#web/capture/analysis/analyser.ts'
import type { ActedEvent, StageEnd } from '#web/capture/analysis/tracker.ts'
import type {
  CameraCause,
  CaptureFault,
  LinkProblem,
  SurroundingProblem,
  Tip,
} from '#web/wording/findings.ts'
import type { EffectOf } from './effect.ts'
import type { Handoff, HandoffCode } from './handoff-place.ts'

/** The offer that follows a try which may be repeated. */
export interface FurtherTry {
  readonly attemptsLeft: number
  /** Advice based only on what the device observed. */
  readonly tip: Tip | null
}

/** The session's state on the server, as far as the page knows it. */
export type Progress =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'step'; readonly step: NextStep }
  | { readonly kind: 'closing'; readonly lastStep: number }

/** The verdict as this page receives it. */
export interface Outcome {
  readonly passed: boolean
  readonly redirectUrl: string | null
  /** True if the person may bind a passkey and this browser supports it. */
  readonly offersPasskey?: boolean
  /** Present if another try is possible instead of this outcome. */
  readonly furtherTry?: FurtherTry
  /** The person left with an earlier try's verdict. */
  readonly isLeft?: boolean
}

/** How far using or creating a passkey has got. `unused` means that it was not completed and may be tried again. */
export type PasskeyPhase = 'waiting' | 'busy' | 'unused'

/** Why nothing was checked. Only the wording depends on it, not what happens next. */
export type DeclinedKind = 'declined' | 'stopped' | 'noCamera' | 'otherWay'

/** Everything that one screen needs. The root element's `data-state` is the name. */
export type State =
  /** `checking`: the session is being judged. */
  | { readonly name: 'opening'; readonly slow: boolean; readonly checking?: true }
  | {
      readonly name: 'linkProblem'
      readonly problem: LinkProblem
      readonly redirectUrl: string | null
      /** When the server answers again, in milliseconds since 1970, if it said so. */
      readonly nextTryAt?: number
    }
  | { readonly name: 'consent' }
  | { readonly name: 'anotherWay'; readonly from: 'consent' | 'cameraProblem' | 'furtherTry' }
  | { readonly name: 'ready' }
  | { readonly name: 'asking'; readonly late: boolean }
  | { readonly name: 'starting'; readonly camera: boolean; readonly slow: boolean }
  | { readonly name: 'align'; readonly helpOffered: boolean }
  | { readonly name: 'hold'; readonly helpOffered: boolean }
  | { readonly name: 'help'; readonly crowded: boolean }
  /**
   * Between two steps, while the person returns from `returning` and the server answers. `late` means that the answer is
   * overdue.
   */
  | {
      readonly name: 'done'
      readonly after: 'hold' | 'action' | 'request'
      readonly late: boolean
      readonly returning?: { readonly step: NextStep; readonly startedAt: number }
      /** Set for an action whose pictures were sent while the head is still on its way back; holds the answer that has arrived meanwhile. */
      readonly halfway?: { readonly answer: EventOf<'stepAnswered'> | null }
    }
  | { readonly name: 'action'; readonly step: NextStep; readonly again: boolean; readonly startedAt: number }
  /** `asked`: the person has not looked straight ahead yet and is shown that they should. */
  | { readonly name: 'closing'; readonly asked: boolean }
  /** The last pictures would not have been usable, so none were sent. */
  | { readonly name: 'retake'; readonly fault: CaptureFault }
  /** `idle`: time ran out. If the person is still there, the step is submitted as it is. */
  | { readonly name: 'paused'; readonly step: NextStep; readonly idle: boolean }
  | {
      readonly name: 'sending'
      readonly phase: 'sending' | 'checking' | 'leaving'
      readonly share: number
      readonly late: boolean
    }
  /** There is no network. A step, the last pictures or, after a reload, the session itself is waiting for it. */
  | { readonly name: 'offline'; readonly awaiting: 'step' | 'session' | 'opening' }
  /** Another try is possible; `context.furtherTry` has the number. */
  | { readonly name: 'furtherTry' }
  | {
      readonly name: 'passed' | 'notCompleted'
      readonly redirectUrl: string | null
      readonly staying: boolean
    }
  | {
      readonly name: 'declined'
      readonly kind: DeclinedKind
      /** True if pictures had already been sent. */
      readonly sent: boolean
      readonly submission: 'none' | 'pending' | 'complete'
      /** Leave the page as soon as the submission is complete. */
      readonly leaving: boolean
      readonly redirectUrl: string | null
    }
  | {
      readonly name: 'timeOver'
      readonly redirectUrl: string | null
      /** True if time ran out while the device was offline. */
      readonly offline: boolean
    }
  | { readonly name: 'cameraProblem'; readonly cause: CameraCause }
  /** Shown before the camera starts: asks for the passkey from an earlier visit. */
  | { readonly name: 'passkeyAsked'; readonly phase: PasskeyPhase }
  /** The verdict has arrived but is not shown yet. */
  | { readonly name: 'passkeyOffered'; readonly phase: PasskeyPhase; readonly outcome: Outcome }
  /** Shows a code for another device. `trouble` means that no code could be obtained. */
  | { readonly name: 'handoff'; readonly trouble: boolean }
  | { readonly name: 'following'; readonly handoff: Handoff }
  /** The first screen on the device that took the session over. */
  | { readonly name: 'numberCheck'; readonly number: string }
  | { readonly name: 'codeEntry'; readonly busy: boolean; readonly wrong: boolean }
  /** The session has moved, and this device no longer takes part in it. */
  | { readonly name: 'moved'; readonly refused: boolean }

export type StateName = State['name']

/** The analysis levels that are available while networks are still loading: face detection only, or all hints. */
export type AnalysisLevel = 'faces' | 'guidance'

/** The party that asks for the check, as shown on the pages. */
export type Asker = Pick<CapturePlan, 'theme'>

/** State that does not depend on the screen. */
export interface Context {
  readonly plan: CapturePlan | null
  /** The sender of a link that did not open; null if this is unknown or part of the plan. */
  readonly asker: Asker | null
  readonly progress: Progress
  /** How many actions the server has accepted. */
  readonly accepted: number
  readonly framesSent: number
  /** How many times pictures were retaken. */
  readonly retakes: number
  /** The current try, counted from 1. */
  readonly attempt: number
  /** The offer after the last try. */
  readonly furtherTry: FurtherTry | null
  /** True if a step's time ran out during this try. */
  readonly ranOut: boolean
  readonly consented: boolean
  /**
   * How far the analysis has loaded, or why it could not be. A failure is only reported once the person starts the camera.
   */
  readonly analysis: 'loading' | AnalysisLevel | 'ready' | AnalysisFailure
  /** True after the camera was reopened automatically, which only happens once. */
  readonly reopened: boolean
  /** Show "3 minutes left". */
  readonly nearDeadline: boolean
  /** When the pictures are deleted, in milliseconds since 1970. */
  readonly expiresAt: number | null
  /** True if the session cannot move to another device, for example because this is a kiosk. */
  readonly staysHere: boolean
  /** True if this device took over the session. It does not navigate anywhere, and cannot hand the session over again. */
  readonly isGuest: boolean
  /** True if a passkey is requested and this browser supports it. */
  readonly asksPasskey: boolean
  /** The code for another device while it is offered. */
  readonly code: HandoffCode | null
  /** False for a link that has only been read. Its session begins when the person acts. */
  readonly isBegun: boolean
  /** The person's action that is waiting for the session to begin. */
  readonly act: Act | null
}

/** Something that the person did, along with the page's state at the time. */
export interface Act {
  readonly state: State
  readonly event: Event
}

export interface Situation {
  readonly state: State
  readonly context: Context
}

/** The server's answer after the session was opened or found. */
export interface OpenedSession {
  readonly plan: CapturePlan
  readonly progress: Progress
  readonly consented: boolean
  readonly accepted: number
  readonly framesSent: number
  readonly expiresAt: number | null
  readonly staysHere?: boolean
  readonly asksPasskey?: boolean
  readonly attempt?: number
  readonly furtherTry?: FurtherTry
  /** Absent if the session never left its device. */
  readonly handoff?: Handoff
  /** False for a link that has only been read; defaults to true. */
  readonly isBegun?: boolean
}

export type Event =
  | { readonly type: 'unsuited'; readonly cause: CameraCause }
  | ({ readonly type: 'opened' } & OpenedSession)
  | {
      readonly type: 'notOpened'
      readonly problem: LinkProblem
      readonly redirectUrl?: string | null
      /** The plan of a finished session. It names the allowed embedding origins, so that the page can still navigate after a reload. */
      readonly plan?: CapturePlan
      readonly asker?: Asker
      readonly waitInMilliseconds?: number
      readonly nextTryAt?: number
    }
  /** The page was reloaded while the server is judging its session. */
  | { readonly type: 'beingChecked' }
  /** The page was reloaded and cannot load its session right now; contains what the page still knows. */
  | {
      readonly type: 'cutOff'
      readonly plan: CapturePlan
      readonly expiresAt: number | null
      readonly waitInMilliseconds?: number
    }
  | { readonly type: 'agree' | 'disagree' | 'readAgain' | 'anotherWay' | 'takeOtherWay' | 'back' }
  | { readonly type: 'startCamera' | 'tryAgain' | 'takeAgain' | 'continue' }
  /** Selects the camera after the last requested one, unless an id is given. */
  | { readonly type: 'otherCamera'; readonly id?: string }
  /** The camera is running, but its pictures are unusable. */
  | { readonly type: 'cameraUseless'; readonly cause: SurroundingProblem }
  | { readonly type: 'cameraOpened' | 'cameraReady' | 'cameraLost' | 'analysisReady' }
  | { readonly type: 'cameraRefused'; readonly cause: CameraCause }
  | { readonly type: 'analysisAdvanced'; readonly to: AnalysisLevel }
  | { readonly type: 'analysisBroken'; readonly cause: AnalysisFailure }
  | StageEnd
  | ActedEvent
  | {
      readonly type: 'stepAnswered'
      readonly next: NextStep | null
      readonly accepted: boolean
      readonly request: boolean
      /** How many pictures were not sent because they would have arrived too late. */
      readonly dropped: number
      readonly at: number
      /** How long the next step's clock may already have been running, in milliseconds; 0 if absent. */
      readonly lateMilliseconds?: number
      /** How long the network takes to send a step's pictures, in milliseconds; 0 if absent. */
      readonly handInMilliseconds?: number
    }
  | { readonly type: 'help'; readonly crowded: boolean }
  /** A picture was sent while its step was still in progress. */
  | { readonly type: 'handedIn' }
  | { readonly type: 'closeHelp' | 'sendAnyway' | 'moreTime' | 'otherAction' | 'timeUp' }
  | { readonly type: 'uploaded'; readonly share: number }
  | ({ readonly type: 'verdict' } & Outcome)
  | { readonly type: 'leftServer'; readonly redirectUrl: string | null }
  /** The server expects a different step or try from the one that was submitted. */
  | { readonly type: 'outOfStep' }
  | { readonly type: 'unsent' | 'online' | 'tryNow' | 'deleteAndLeave' }
  | { readonly type: 'wait' | 'depart' | 'hidden' | 'leave' }
  | { readonly type: 'deadlineNear' | 'deadlineOver' | 'expired' | 'bannerRead' }
  | { readonly type: 'wayBack'; readonly redirectUrl: string | null }
  | { readonly type: 'late' }
  | { readonly type: 'endTest'; readonly result: TestOutcome['result'] }
  | { readonly type: 'usePasskey' | 'withoutPasskey' }
  | { readonly type: 'passkeyDone'; readonly worked: boolean }
  | { readonly type: 'usePhone' | 'sameNumber' | 'otherNumber' | 'codeRefused' }
  /** `lifetime` is in milliseconds. */
  | { readonly type: 'codeMade'; readonly code: HandoffCode; readonly lifetime: number }
  | { readonly type: 'codeWanted'; readonly wrong: boolean }
  | { readonly type: 'codeTyped'; readonly code: string }
  | { readonly type: 'followed'; readonly handoff: Handoff }
  /** Another device holds the session; null if this one may not follow. */
  | { readonly type: 'elsewhere'; readonly handoff: Handoff | null }

export type Effect = EffectOf<Event>

/** A transition: the next state (unchanged if absent), context changes and effects. */
export interface Step {
  readonly state?: State
  readonly context?: Partial<Context>
  readonly effects?: readonly Effect[]
}

export type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

export type StateOf<N extends StateName> = Extract<State, { readonly name: N }>

export type Reactions = { readonly [N in StateName]: Reaction<N> }

/** Handles an event in a state; undefined if the state ignores it. */
export type Reaction<N extends StateName> = (
  event: Event,
  state: StateOf<N>,
  context: Context,
) => Step | undefined
