import type { CapturePlan, NextStep, TestOutcome } from '#shared/contract/sessions/session.ts'
import type { AnalysisFailure } from '#web/capture/analysis/analyser.ts'
import type { CameraCause, Surrounding } from '#web/capture/analysis/camera/camera-problem.ts'
import type { CaptureFault } from '#web/capture/analysis/capture-fault.ts'
import type { Tip } from '#web/capture/analysis/look-back.ts'
import type { Acted, StageEnd } from '#web/capture/analysis/tracker.ts'
import type { EffectOf } from './effect.ts'
import type { Handoff, HandoffCode } from './handoff-place.ts'

/** The offer after a try that can be repeated. */
export interface FurtherTry {
  readonly attemptsLeft: number
  /** Advice from the device's observations alone. */
  readonly tip: Tip | null
}

/** Why a link or an address cannot be opened. */
export type LinkProblem = 'missing' | 'wrong' | 'gone' | 'tooMany' | 'unreachable' | 'finished'

/** State of the session on the server, as far as the page knows. */
export type Progress =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'step'; readonly step: NextStep }
  | { readonly kind: 'closing'; readonly lastStep: number }

/** The verdict as the page receives it. */
export interface Outcome {
  readonly passed: boolean
  readonly redirectUrl: string | null
  /** The person may bind a passkey, and this browser supports it. */
  readonly offersPasskey?: boolean
  /** Present if another try is possible instead of this outcome. */
  readonly furtherTry?: FurtherTry
  /** The person left with the verdict of an earlier try. */
  readonly isLeft?: boolean
}

/** State of using or creating a passkey; `unused`: not completed, may be tried again. */
export type PasskeyPhase = 'waiting' | 'busy' | 'unused'

/** Why nothing was checked. The text differs, the remaining steps do not. */
export type DeclinedKind = 'declined' | 'stopped' | 'noCamera' | 'otherWay'

/** Everything that one screen needs. The name is the root element's `data-state`. */
export type State =
  /** `checking`: the session is being judged. */
  | { readonly name: 'opening'; readonly slow: boolean; readonly checking?: true }
  | { readonly name: 'linkProblem'; readonly problem: LinkProblem; readonly redirectUrl: string | null }
  | { readonly name: 'consent' }
  | { readonly name: 'anotherWay'; readonly from: 'consent' | 'cameraProblem' | 'furtherTry' }
  | { readonly name: 'ready' }
  | { readonly name: 'asking'; readonly late: boolean }
  | { readonly name: 'starting'; readonly camera: boolean; readonly slow: boolean }
  | { readonly name: 'align'; readonly helpOffered: boolean }
  | { readonly name: 'hold'; readonly helpOffered: boolean }
  | { readonly name: 'help'; readonly crowded: boolean }
  /**
   * Between two steps: while the person returns from `returning` and while the server answers; `late` if the answer is
   * overdue.
   */
  | {
      readonly name: 'done'
      readonly after: 'hold' | 'action' | 'request'
      readonly late: boolean
      readonly returning?: { readonly step: NextStep; readonly startedAt: number }
    }
  | { readonly name: 'action'; readonly step: NextStep; readonly again: boolean; readonly startedAt: number }
  | { readonly name: 'closing' }
  /** The last pictures were unusable and have not been sent. */
  | { readonly name: 'retake'; readonly fault: CaptureFault }
  /** `idle`: the time ran out. If the person is still there, the step is submitted as it is. */
  | { readonly name: 'paused'; readonly step: NextStep; readonly idle: boolean }
  | {
      readonly name: 'sending'
      readonly phase: 'sending' | 'checking' | 'leaving'
      readonly share: number
      readonly late: boolean
      readonly outcome: Outcome | null
      /** True once the screen was visible long enough to be read. */
      readonly settled: boolean
    }
  /** No network. A step, the last pictures or, after a reload, the session itself is waiting for it. */
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
      /** The time ended while the device was offline. */
      readonly offline: boolean
    }
  | { readonly name: 'cameraProblem'; readonly cause: CameraCause }
  /** Before the camera starts: asks for the passkey of an earlier visit. */
  | { readonly name: 'passkeyAsked'; readonly phase: PasskeyPhase }
  /** After the verdict, before it is shown. */
  | { readonly name: 'passkeyOffered'; readonly phase: PasskeyPhase; readonly outcome: Outcome }
  /** Shows a code for another device; `trouble`: no code could be obtained. */
  | { readonly name: 'handoff'; readonly trouble: boolean }
  | { readonly name: 'following'; readonly handoff: Handoff }
  /** The first screen on the device that took the session over. */
  | { readonly name: 'numberCheck'; readonly number: string }
  | { readonly name: 'codeEntry'; readonly busy: boolean; readonly wrong: boolean }
  /** The session has moved, and this device is no longer part of it. */
  | { readonly name: 'moved'; readonly refused: boolean }

export type StateName = State['name']

/** Levels of analysis available while networks are still loading: face detection, and all hints. */
export type AnalysisLevel = 'faces' | 'guidance'

/** The party that asks for the check, as shown on the pages. */
export type Asker = Pick<CapturePlan, 'theme'>

/** State that is independent of the screen. */
export interface Context {
  readonly plan: CapturePlan | null
  /** The sender of a link that did not open; null if unknown or contained in the plan. */
  readonly asker: Asker | null
  readonly progress: Progress
  /** Number of actions that the server accepted. */
  readonly accepted: number
  readonly framesSent: number
  /** How often pictures were retaken. */
  readonly retakes: number
  /** Number of the current try, from 1. */
  readonly attempt: number
  /** The offer after the last try. */
  readonly furtherTry: FurtherTry | null
  /** True if the time of a step ran out during this try. */
  readonly ranOut: boolean
  readonly consented: boolean
  /**
   * Progress of the analysis, or why it could not be loaded. A failure is reported only when the person starts the camera.
   */
  readonly analysis: 'loading' | AnalysisLevel | 'ready' | AnalysisFailure
  /** True after the camera was reopened automatically, which happens once. */
  readonly reopened: boolean
  /** Show "3 minutes left". */
  readonly nearDeadline: boolean
  /** When the pictures are deleted, in milliseconds since 1970. */
  readonly expiresAt: number | null
  /** True if the session cannot move to another device, as at a kiosk. */
  readonly staysHere: boolean
  /** True if this device took the session over: it does not navigate anywhere, and cannot hand the session over again. */
  readonly isGuest: boolean
  /** True if a passkey is requested and this browser supports it. */
  readonly asksPasskey: boolean
  /** The code for another device while it is offered. */
  readonly code: HandoffCode | null
  /** False for a link that was only read: its session begins when the person acts. */
  readonly isBegun: boolean
  /** The act of the person that waits for the session to begin. */
  readonly act: Act | null
}

/** An act of the person, with the state of the page at that time. */
export interface Act {
  readonly state: State
  readonly event: Event
}

export interface Situation {
  readonly state: State
  readonly context: Context
}

/** The server's answer when the session was opened or found. */
export interface Opened {
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
  /** False for a link that was only read; true if absent. */
  readonly isBegun?: boolean
}

export type Event =
  | { readonly type: 'unsuited'; readonly cause: CameraCause }
  | ({ readonly type: 'opened' } & Opened)
  | {
      readonly type: 'notOpened'
      readonly problem: LinkProblem
      readonly redirectUrl?: string | null
      /** Plan of a session that is over. It names the allowed embedding origins, so that the page can navigate as if it had not been reloaded. */
      readonly plan?: CapturePlan
      /** The sender of a link that did not open, if known. */
      readonly asker?: Asker
      /** How long to wait before the next request. */
      readonly waitInMilliseconds?: number
    }
  /** The page was reloaded while its session is being judged. */
  | { readonly type: 'beingChecked' }
  /** The page was reloaded and cannot load its session now; contains what the page still knows. */
  | {
      readonly type: 'cutOff'
      readonly plan: CapturePlan
      readonly expiresAt: number | null
      readonly waitInMilliseconds?: number
    }
  | { readonly type: 'agree' | 'disagree' | 'readAgain' | 'anotherWay' | 'takeOtherWay' | 'back' }
  | { readonly type: 'startCamera' | 'tryAgain' | 'continue' }
  /** The one after the last that was asked for, unless an id is given. */
  | { readonly type: 'otherCamera'; readonly id?: string }
  /** The camera runs, and its pictures are of no use. */
  | { readonly type: 'cameraUseless'; readonly cause: Surrounding }
  | { readonly type: 'cameraOpened' | 'cameraReady' | 'cameraLost' | 'analysisReady' }
  | { readonly type: 'cameraRefused'; readonly cause: CameraCause }
  | { readonly type: 'analysisAdvanced'; readonly to: AnalysisLevel }
  | { readonly type: 'analysisBroken'; readonly cause: AnalysisFailure }
  | StageEnd
  | Acted
  | {
      readonly type: 'stepAnswered'
      readonly next: NextStep | null
      readonly accepted: boolean
      readonly request: boolean
      /** Number of pictures that were not sent because they would have been late. */
      readonly dropped: number
      readonly at: number
      /** How long the clock of the next step may have run before, in milliseconds; 0 if absent. */
      readonly lateMilliseconds?: number
      /** How long the network takes for the pictures of a step, in milliseconds; 0 if absent. */
      readonly handInMilliseconds?: number
    }
  | { readonly type: 'help'; readonly crowded: boolean }
  | { readonly type: 'takeAgain' }
  | { readonly type: 'closeHelp' | 'sendAnyway' | 'moreTime' | 'otherAction' | 'timeUp' }
  | { readonly type: 'uploaded'; readonly share: number }
  | ({ readonly type: 'verdict' } & Outcome)
  | { readonly type: 'leftServer'; readonly redirectUrl: string | null }
  /** The server expects another step or try than the one submitted. */
  | { readonly type: 'outOfStep' }
  | { readonly type: 'unsent' | 'online' | 'tryNow' | 'deleteAndLeave' }
  | { readonly type: 'wait' | 'depart' }
  | { readonly type: 'hidden' | 'leave' }
  | { readonly type: 'deadlineNear' | 'deadlineOver' | 'expired' | 'bannerRead' }
  | { readonly type: 'wayBack'; readonly redirectUrl: string | null }
  | { readonly type: 'late' }
  | { readonly type: 'endTest'; readonly result: TestOutcome['result'] }
  | { readonly type: 'settled' }
  | { readonly type: 'usePasskey' | 'withoutPasskey' }
  | { readonly type: 'passkeyDone'; readonly worked: boolean }
  | { readonly type: 'usePhone' | 'sameNumber' | 'otherNumber' | 'codeRefused' }
  /** `lifetime` in milliseconds. */
  | { readonly type: 'codeMade'; readonly code: HandoffCode; readonly lifetime: number }
  | { readonly type: 'codeWanted'; readonly wrong: boolean }
  | { readonly type: 'codeTyped'; readonly code: string }
  | { readonly type: 'followed'; readonly handoff: Handoff }
  /** Another device holds the session; null if this one may not follow. */
  | { readonly type: 'elsewhere'; readonly handoff: Handoff | null }

export type Effect = EffectOf<Event>

/** A transition: the next state (the same if absent), changes of the context, and effects. */
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
