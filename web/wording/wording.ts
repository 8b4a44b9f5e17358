import type { Movement } from '#models/rules/challenge/movement.ts'
import type {
  ActingHint,
  CameraCause,
  CaptureFault,
  Hint,
  LinkProblem,
  SurroundingProblem,
  Tip,
} from './findings.ts'

/** A phrase that depends on a number, by the categories of Intl.PluralRules; `{n}` stands for the number. */
export type PluralPhrase = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

export type AskedAction = Exclude<Movement, 'lookDown'>

/** The words about whoever asks, and about what comes before the camera is on; in files of their own, under `asking/`. */
export interface AskerWording {
  /** Who asks: the tab's title, without `{account}` where that is not known; and the way to whom to ask. */
  readonly asker: Readonly<Record<'tab' | 'tabAlone' | 'ask', string>>
  /** While the check comes over the network; `wrongFile`: the network answered with something else. `{loaded}` and `{total}` are megabytes. */
  readonly loading: Readonly<Record<'title' | 'progress' | 'wrongFile', string>>
  /** Before the camera: a few words below each of three drawings, of which a `phone` and a `desk` share one, and how long it takes. */
  readonly getReady: Readonly<Record<'light' | 'phone' | 'desk' | 'moves' | 'time', string>>
  /** How a blocked camera is allowed again, where it differs from `cameraText.blocked`. */
  readonly unblock: Readonly<Record<'chromeAndroid' | 'firefox' | 'firefoxAndroid' | 'safari', string>>
  /** No camera in an app that shows pages inside itself; `{app}` is its name. */
  readonly inApp: Readonly<Record<'title' | 'text', string>>
  /** What a camera, a browser or a network may be like, and what helps. */
  readonly surroundings: Readonly<Record<SurroundingProblem, Readonly<Record<'title' | 'text', string>>>>
}

/** The words of what may follow a try, in files of their own, under `further/`. */
export interface FurtherTryWording {
  /** A screen that never says why: a heading, one sentence, and at most one tip of what the device itself saw. */
  readonly furtherTry: Readonly<Record<Tip | 'title' | 'text' | 'otherWay', string>>
  /** How many further tries there are. */
  readonly tries: PluralPhrase
  /** What leads away. */
  readonly links: Readonly<Record<'takeOtherWay' | 'privacy' | 'terms', string>>
}

/**
 * Every word of the capture page. `{account}` is the integrator, `{region}` where its server stands, `{time}` an hour of
 * the day, or the minutes and seconds until a new code or the next try; `{step}` and `{of}` are numbers, `{number}` the two digits that
 * both devices show. Limits in English: titles 48 characters, buttons 24, hints 40; layouts hold 1.6 times as much. Verb
 * first, polite, no idioms, no exclamation marks, nobody is blamed: never failed, invalid, fake.
 */
export interface Wording extends AskerWording, FurtherTryWording {
  /** BCP 47 */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  /** Headings of screens; read out when the screen appears. */
  readonly title: Readonly<
    Record<
      | 'opening'
      | 'openingSlow'
      | 'consent'
      | 'anotherWay'
      | 'ready'
      | 'asking'
      | 'starting'
      | 'align'
      | 'hold'
      | 'help'
      | 'done'
      | 'waiting'
      | 'closing'
      | 'retake'
      | 'paused'
      | 'sending'
      | 'checking'
      | 'offline'
      | 'passed'
      | 'notCompleted'
      | 'declined'
      | 'timeOver'
      | 'handoff'
      | 'following'
      | 'acting'
      | 'numberCheck'
      | 'codeEntry'
      | 'moved'
      | 'passkeyAsked'
      | 'passkeyOffered',
      string
    >
  >
  readonly linkTitle: Readonly<Record<LinkProblem, string>>
  readonly linkText: Readonly<Record<LinkProblem, string>>
  readonly cameraTitle: Readonly<Record<Exclude<CameraCause, 'wrongFile' | SurroundingProblem>, string>>
  readonly cameraText: Readonly<Record<Exclude<CameraCause, 'wrongFile' | SurroundingProblem>, string>>
  /** The remedy on iOS where it differs. */
  readonly cameraTextIos: Readonly<Partial<Record<CameraCause, string>>>
  readonly action: Readonly<Record<AskedAction, string>>
  readonly hint: Readonly<
    Record<Hint | ActingHint | 'moveSlowly' | 'savingPower' | 'addressBar' | 'again', string>
  >
  /** Why pictures are taken again; the picture is to blame, never the person. */
  readonly retake: Readonly<Record<CaptureFault, string>>
  readonly button: Readonly<
    Record<
      | 'agree'
      | 'disagree'
      | 'anotherWay'
      | 'startCamera'
      | 'leave'
      | 'help'
      | 'goOn'
      | 'moreTime'
      | 'cannotDo'
      | 'continue'
      | 'tryAgain'
      | 'takeAgain'
      | 'tryNow'
      | 'deleteAndLeave'
      | 'backTo'
      | 'readAgain'
      | 'back'
      | 'askAgain'
      | 'startAgain'
      | 'newTab'
      | 'copyLink'
      | 'copied'
      | 'otherCamera'
      | 'sendAnyway'
      | 'brighten'
      | 'darken'
      | 'close'
      | 'usePhone'
      | 'useThisDevice'
      | 'newCode'
      | 'sameNumber'
      | 'otherNumber'
      | 'usePasskey'
      | 'addPasskey'
      | 'endTest'
      | 'withoutPasskey',
      string
    >
  >
  readonly text: Readonly<
    Record<
      | 'starting'
      | 'anotherWay'
      | 'allDetails'
      | 'paused'
      | 'crowded'
      | 'cameraOff'
      | 'stillChecking'
      | 'waitingNetwork'
      | 'offline'
      | 'offlineOpening'
      | 'passed'
      | 'notCompleted'
      | 'nothingTaken'
      | 'nothingKept'
      | 'timeOver'
      | 'timeOverOffline'
      | 'closePage'
      | 'leaving'
      | 'nearDeadline'
      | 'testMode'
      | 'testOutcome'
      | 'stepOf'
      | 'segmentOf'
      | 'handoff'
      | 'qr'
      | 'address'
      | 'code'
      | 'codeFor'
      | 'nextTry'
      | 'loopbackOnly'
      | 'following'
      | 'staysOpen'
      | 'numberCheck'
      | 'codeEntry'
      | 'copyByHand'
      | 'codeWrong'
      | 'moved'
      | 'backToScreen'
      | 'passkeyAsked'
      | 'passkeyOffered'
      | 'passkeyUnused',
      string
    >
  >
  /** Three tips of the help screen. */
  readonly tips: readonly [string, string, string]
  /** The rows of the consent; those of a plan's verifiers appear only with them. */
  readonly consent: Readonly<
    Record<
      | 'purpose'
      | 'controller'
      | 'camera'
      | 'filmed'
      | 'device'
      | 'sent'
      | 'sentAndKept'
      | 'kept'
      | 'keptSeen'
      | 'reviewed'
      | 'reviewedAll'
      | 'listed'
      | 'face'
      | 'reference'
      | 'age'
      | 'gender'
      | 'emotion',
      { readonly term: string; readonly text: string }
    >
  >
  /** Spoken where it differs from the title. */
  readonly said: Readonly<
    Record<
      'consent' | 'ready' | 'step' | 'paused' | 'sending' | 'half' | 'checking' | 'offline' | 'handoff',
      string
    >
  >
  readonly seconds: PluralPhrase
}
