import type { CapturePlan, NextStep, TestOutcome } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { AnalysisFailure } from '#web/capture/analysis/analyser.ts'
import type { CameraCause } from '#web/capture/analysis/camera/camera-problem.ts'
import type { CaptureFault } from '#web/capture/analysis/capture-fault.ts'
import type { Tip } from '#web/capture/analysis/look-back.ts'
import type { Acted, Stage, StageEnd } from '#web/capture/analysis/tracker.ts'
import type { Handoff, HandoffCode } from './handoff-place.ts'
import type { Closing, StepSubmission } from './submissions.ts'

/** What is offered after a try that may be repeated. */
export interface FurtherTry {
  readonly attemptsLeft: number
  /** What may help, from what the device saw alone. */
  readonly tip: Tip | null
}

/** Why a link or an address leads nowhere. */
export type LinkProblem = 'missing' | 'wrong' | 'gone' | 'tooMany' | 'unreachable' | 'finished'

/** Where the session stands on the server, as far as the page knows. */
export type Progress =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'step'; readonly step: NextStep }
  | { readonly kind: 'closing'; readonly lastStep: number }

/** The verdict as the page learns it. */
export interface Outcome {
  readonly passed: boolean
  readonly redirectUrl: string | null
  /** The person may bind a passkey, and this browser can make one. */
  readonly offersPasskey?: boolean
  /** Present where there may be another try instead of this end. */
  readonly furtherTry?: FurtherTry
  /** The person left with the verdict of a try before. */
  readonly isLeft?: boolean
}

/** How far showing or making a passkey is; `unused`: it did not come to that, and may be tried again. */
export type PasskeyPhase = 'waiting' | 'busy' | 'unused'

/** Why nothing was checked: the words of the page differ, its way on does not. */
export type DeclinedKind = 'declined' | 'stopped' | 'noCamera' | 'otherWay'

/** Everything that one screen needs. The name is the root element's `data-state`. */
export type State =
  /** `checking`: what was found is being judged. */
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
   * Between two steps: while the person comes back from `returning`, and while the server answers; `late` when it should
   * have by now.
   */
  | {
      readonly name: 'done'
      readonly after: 'hold' | 'action' | 'request'
      readonly late: boolean
      readonly returning?: { readonly step: NextStep; readonly startedAt: number }
      /** Of an action whose pictures are sent: the head is still on its way back, and what the server answered meanwhile. */
      readonly halfway?: { readonly answer: EventOf<'stepAnswered'> | null }
    }
  | { readonly name: 'action'; readonly step: NextStep; readonly again: boolean; readonly startedAt: number }
  /** `asked`: the person has not looked straight ahead yet, and reads that they should. */
  | { readonly name: 'closing'; readonly asked: boolean }
  /** The last pictures would be of no use: nothing of them was sent. */
  | { readonly name: 'retake'; readonly fault: CaptureFault }
  /** `idle`: the time ran out by itself; then the step is answered as it is when the person is still there. */
  | { readonly name: 'paused'; readonly step: NextStep; readonly idle: boolean }
  | {
      readonly name: 'sending'
      readonly phase: 'sending' | 'checking' | 'leaving'
      readonly share: number
      readonly late: boolean
    }
  /** No network: what waits for it is a step, the last pictures, or the session itself after a reload. */
  | { readonly name: 'offline'; readonly awaiting: 'step' | 'session' | 'opening' }
  /** It may be tried once more; `context.furtherTry` says how often. */
  | { readonly name: 'furtherTry' }
  | {
      readonly name: 'passed' | 'notCompleted'
      readonly redirectUrl: string | null
      readonly staying: boolean
    }
  | {
      readonly name: 'declined'
      readonly kind: DeclinedKind
      /** Whether pictures had already been sent. */
      readonly sent: boolean
      readonly submission: 'none' | 'pending' | 'complete'
      /** Leave as soon as the submission is complete. */
      readonly leaving: boolean
      readonly redirectUrl: string | null
    }
  | {
      readonly name: 'timeOver'
      readonly redirectUrl: string | null
      /** The time ended while there was no network. */
      readonly offline: boolean
    }
  | { readonly name: 'cameraProblem'; readonly cause: CameraCause }
  /** Before the camera: one that was bound at an earlier visit. */
  | { readonly name: 'passkeyAsked'; readonly phase: PasskeyPhase }
  /** After the verdict, and before it is shown. */
  | { readonly name: 'passkeyOffered'; readonly phase: PasskeyPhase; readonly outcome: Outcome }
  /** A code for another device is shown; `trouble`: none could be had. */
  | { readonly name: 'handoff'; readonly trouble: boolean }
  | { readonly name: 'following'; readonly handoff: Handoff }
  /** On the device that took the session over, before anything else. */
  | { readonly name: 'numberCheck'; readonly number: string }
  | { readonly name: 'codeEntry'; readonly busy: boolean; readonly wrong: boolean }
  /** The session is elsewhere, and this device has no part in it. */
  | { readonly name: 'moved'; readonly refused: boolean }

export type StateName = State['name']

/** Levels that the analysis reaches while networks are still loading: a face or none, and all hints. */
export type AnalysisLevel = 'faces' | 'guidance'

/** Who asks for the check, as the pages show it. */
export type Asker = Pick<CapturePlan, 'theme'>

/** What outlives a screen. */
export interface Context {
  readonly plan: CapturePlan | null
  /** Whose link it was that did not open; null where that is not known, or the plan says it. */
  readonly asker: Asker | null
  readonly progress: Progress
  /** Actions that the server accepted. */
  readonly accepted: number
  readonly framesSent: number
  /** How often pictures were taken again. */
  readonly retakes: number
  /** Which try of the session this is, from 1. */
  readonly attempt: number
  /** What was offered after the last one. */
  readonly furtherTry: FurtherTry | null
  /** Whether the time of a step ran out during this try. */
  readonly ranOut: boolean
  readonly consented: boolean
  /**
   * How far the analysis has come, or why it cannot be loaded. A failure is kept until the person asks for the camera.
   */
  readonly analysis: 'loading' | AnalysisLevel | 'ready' | AnalysisFailure
  /** Whether the camera was reopened by itself; it is once. */
  readonly reopened: boolean
  /** Show "3 minutes left". */
  readonly nearDeadline: boolean
  /** When the pictures are deleted, in milliseconds since 1970. */
  readonly expiresAt: number | null
  /** Whether there is no way to another device at all, as at a kiosk. */
  readonly staysHere: boolean
  /** Whether this device took the session over: it leads nowhere, and hands it to no other. */
  readonly isGuest: boolean
  /** Whether a passkey is asked for, and this browser can show one. */
  readonly asksPasskey: boolean
  /** The code for another device, while one is offered. */
  readonly code: HandoffCode | null
}

export interface Situation {
  readonly state: State
  readonly context: Context
}

/** What the server said when the session was opened or found again. */
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
  /** Absent for a session that never left its device. */
  readonly handoff?: Handoff
}

export type Event =
  | { readonly type: 'unsuited'; readonly cause: CameraCause }
  | ({ readonly type: 'opened' } & Opened)
  | {
      readonly type: 'notOpened'
      readonly problem: LinkProblem
      readonly redirectUrl?: string | null
      /** Of a session that is over: it says who embeds the page, which leads on as if it had never been reloaded. */
      readonly plan?: CapturePlan
      /** Of a link that does not open, where whoever sent it is known. */
      readonly asker?: Asker
      /** How long to wait before it is asked for again. */
      readonly waitInMilliseconds?: number
    }
  /** The session of a page that was reloaded is being judged. */
  | { readonly type: 'beingChecked' }
  /** The session of a page that was reloaded cannot be asked for now; what the page still knows of it. */
  | {
      readonly type: 'cutOff'
      readonly plan: CapturePlan
      readonly expiresAt: number | null
      readonly waitInMilliseconds?: number
    }
  | { readonly type: 'agree' | 'disagree' | 'readAgain' | 'anotherWay' | 'takeOtherWay' | 'back' }
  | { readonly type: 'startCamera' | 'tryAgain' | 'continue' | 'otherCamera' }
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
      /** How many pictures were left out in the end, because they would have been late. */
      readonly dropped: number
      readonly at: number
    }
  | { readonly type: 'help'; readonly crowded: boolean }
  | { readonly type: 'takeAgain' }
  /** A picture was handed in while its step is acted. */
  | { readonly type: 'handedIn' }
  | { readonly type: 'closeHelp' | 'sendAnyway' | 'moreTime' | 'otherAction' | 'timeUp' }
  | { readonly type: 'uploaded'; readonly share: number }
  | ({ readonly type: 'verdict' } & Outcome)
  | { readonly type: 'leftServer'; readonly redirectUrl: string | null }
  /** The server awaits another step, or another try, than the page handed in. */
  | { readonly type: 'outOfStep' }
  | { readonly type: 'unsent' | 'online' | 'tryNow' | 'deleteAndLeave' }
  | { readonly type: 'wait' | 'depart' }
  | { readonly type: 'hidden' | 'leave' }
  | { readonly type: 'deadlineNear' | 'deadlineOver' | 'expired' | 'bannerRead' }
  | { readonly type: 'wayBack'; readonly redirectUrl: string | null }
  | { readonly type: 'late' }
  | { readonly type: 'endTest'; readonly result: TestOutcome['result'] }
  | { readonly type: 'usePasskey' | 'withoutPasskey' }
  | { readonly type: 'passkeyDone'; readonly worked: boolean }
  | { readonly type: 'usePhone' | 'sameNumber' | 'otherNumber' | 'codeRefused' }
  /** `lifetime` in milliseconds. */
  | { readonly type: 'codeMade'; readonly code: HandoffCode; readonly lifetime: number }
  | { readonly type: 'codeWanted'; readonly wrong: boolean }
  | { readonly type: 'codeTyped'; readonly code: string }
  | { readonly type: 'followed'; readonly handoff: Handoff }
  /** Another device holds the session; null where this one may not even follow. */
  | { readonly type: 'elsewhere'; readonly handoff: Handoff | null }

export type Effect =
  | { readonly type: 'open' }
  | { readonly type: 'prepare'; readonly plan: CapturePlan }
  | { readonly type: 'openCamera'; readonly other: boolean }
  | { readonly type: 'closeCamera' }
  | { readonly type: 'track'; readonly stage: Stage }
  | ({ readonly type: 'submitStep' } & StepSubmission)
  | { readonly type: 'submitSession'; readonly closing: Closing }
  | { readonly type: 'sendAgain' | 'dropSubmission' }
  /** After so long in the same state, an event. */
  | { readonly type: 'wait'; readonly milliseconds: number; readonly event: Event }
  | { readonly type: 'remember' }
  | { readonly type: 'leave'; readonly redirectUrl: string }
  | { readonly type: 'findWayBack' }
  | { readonly type: 'passkey'; readonly ceremony: PasskeyCeremony }
  | { readonly type: 'makeCode' | 'cancelHandoff' | 'follow' }
  | { readonly type: 'takeCode'; readonly code: string }

/** A transition: the next state (the same where absent), what changes of the context, and what is to be done. */
export interface Step {
  readonly state?: State
  readonly context?: Partial<Context>
  readonly effects?: readonly Effect[]
}

/** The event of one type. */
export type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

/** The state of one name. */
export type StateOf<N extends StateName> = Extract<State, { readonly name: N }>

/** What every state does with an event. */
export type Reactions = { readonly [N in StateName]: Reaction<N> }

/** What a state does with an event; undefined where the event means nothing to it. */
export type Reaction<N extends StateName> = (
  event: Event,
  state: StateOf<N>,
  context: Context,
) => Step | undefined
