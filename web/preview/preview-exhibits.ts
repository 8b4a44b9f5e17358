import type { Action, CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Handoff } from '#web/capture/machine/handoff-place.ts'
import type { Context, State, StateName, StateOf } from '#web/capture/machine/state.ts'
import {
  type ActingHint,
  type CameraCause,
  cameraCauses,
  captureFaults,
  type Hint,
  type Tip,
  tips,
} from '#web/wording/findings.ts'

/** A screen shown in the preview. */
export interface Exhibit<S extends State = State> {
  readonly state: S
  readonly context?: Partial<Context>
  readonly plan?: Partial<Omit<CapturePlan, 'theme'>> & { readonly theme?: Partial<CapturePlan['theme']> }
  readonly hint?: Hint | ActingHint
  readonly crowded?: boolean
  /** How much of the guidance networks has been loaded, as a fraction. */
  readonly loaded?: number
}

const redirectUrl = 'https://example.com/'
const actions: readonly Action[] = ['turnLeft', 'turnRight', 'lookUp', 'blink', 'smile', 'comeCloser']
const stepOf = (action: Action) => ({ step: 1, action, timeLimitInSeconds: 10 })
const action = (asked: Action, again = false): StateOf<'action'> => ({
  name: 'action',
  step: stepOf(asked),
  again,
  startedAt: Date.now(),
})
const sending: StateOf<'sending'> = {
  name: 'sending',
  phase: 'sending',
  share: 0.6,
  late: false,
}
const declined: StateOf<'declined'> = {
  name: 'declined',
  kind: 'declined',
  sent: false,
  submission: 'none',
  leaving: false,
  redirectUrl: null,
}
const following = (phase: Handoff['phase']): Exhibit<StateOf<'following'>> => ({
  state: { name: 'following', handoff: { place: 'follows', number: '42', phase, actionsDone: 1 } },
})
const furtherTry = (tip: Tip | null): Exhibit<StateOf<'furtherTry'>> => ({
  state: { name: 'furtherTry' },
  context: { attempt: 2, furtherTry: { attemptsLeft: tip === 'steps' ? 1 : 2, tip } },
})
const camera = (cause: CameraCause): Exhibit<StateOf<'cameraProblem'>> => ({
  state: { name: 'cameraProblem', cause },
})

/** Every optional setting that an account can make for a check, except for the verifiers. */
const configured: NonNullable<Exhibit['plan']> = {
  alternative: { url: redirectUrl, text: null },
  privacy: {
    privacyUrl: redirectUrl,
    termsUrl: redirectUrl,
    controller: 'Northwind Ltd, 1 Harbour Street',
    purpose: 'To open an account in your name',
  },
}

/** [Note: No screen unseen] Exhibits for each state. A missing state does not compile. All previews and screen tests use this list. */
const byState: {
  readonly [N in StateName]: Readonly<Record<string, Exhibit<State & { readonly name: N }>>>
} = {
  opening: {
    opening: { state: { name: 'opening', slow: false }, context: { plan: null } },
    'opening-slow': { state: { name: 'opening', slow: true }, context: { plan: null } },
  },
  linkProblem: {
    ...Object.fromEntries(
      (['missing', 'wrong', 'gone', 'tooMany', 'unreachable', 'finished'] as const).map((problem) => [
        `link-${problem}`,
        { state: { name: 'linkProblem', problem, redirectUrl: null }, context: { plan: null } },
      ]),
    ),
    'link-tooMany-until': {
      state: { name: 'linkProblem', problem: 'tooMany', redirectUrl: null, nextTryAt: Date.now() + 754_000 },
    },
    'link-finished-known': { state: { name: 'linkProblem', problem: 'finished', redirectUrl } },
    // The preview's plan provides the sender's theme.
    'link-gone-known': { state: { name: 'linkProblem', problem: 'gone', redirectUrl: null } },
    'link-wrong-known': { state: { name: 'linkProblem', problem: 'wrong', redirectUrl: null } },
  },
  consent: {
    consent: { state: { name: 'consent' } },
    'consent-configured': { state: { name: 'consent' }, plan: configured },
    'test-consent': { state: { name: 'consent' }, plan: { test: { outcome: null } } },
    'deadline-near': { state: { name: 'consent' }, context: { nearDeadline: true } },
  },
  anotherWay: {
    'another-way': { state: { name: 'anotherWay', from: 'consent' } },
    'another-way-offered': { state: { name: 'anotherWay', from: 'consent' }, plan: configured },
  },
  ready: {
    ready: { state: { name: 'ready' } },
    'test-ready': { state: { name: 'ready' }, plan: { test: { outcome: 'lowQuality' } } },
  },
  asking: {
    asking: { state: { name: 'asking', late: false } },
    'asking-late': { state: { name: 'asking', late: true } },
  },
  starting: {
    starting: { state: { name: 'starting', camera: false, slow: false } },
    'starting-slow': { state: { name: 'starting', camera: false, slow: true } },
    'starting-loading': { state: { name: 'starting', camera: true, slow: true }, loaded: 0.1 },
  },
  align: {
    'test-align': { state: { name: 'align', helpOffered: false }, plan: { test: { outcome: null } } },
    align: { state: { name: 'align', helpOffered: false } },
    'align-loading': { state: { name: 'align', helpOffered: false }, loaded: 0.6 },
    'align-hint': { state: { name: 'align', helpOffered: false }, hint: 'visible' },
    'align-dark': { state: { name: 'align', helpOffered: true }, hint: 'tooDark' },
    'align-crowded': { state: { name: 'align', helpOffered: true }, hint: 'onePerson', crowded: true },
  },
  hold: { hold: { state: { name: 'hold', helpOffered: false } } },
  help: {
    help: { state: { name: 'help', crowded: false } },
    'help-crowded': { state: { name: 'help', crowded: true } },
  },
  done: {
    'done-hold': { state: { name: 'done', after: 'hold', late: false }, context: { accepted: 0 } },
    'done-action': { state: { name: 'done', after: 'action', late: false } },
    'done-request': { state: { name: 'done', after: 'request', late: false } },
    'done-late': { state: { name: 'done', after: 'action', late: true } },
  },
  action: {
    ...Object.fromEntries(actions.map((asked) => [`action-${asked}`, { state: action(asked) }])),
    'action-again': { state: action('turnLeft', true) },
    'action-hint': { state: action('turnRight'), hint: 'visible' },
    'action-wrong-way': { state: action('turnRight'), hint: 'otherWay' },
    'action-unmoved': { state: action('lookUp'), hint: 'chinLevel' },
  },
  retake: Object.fromEntries(
    captureFaults.map((fault) => [`retake-${fault}`, { state: { name: 'retake', fault } as const }]),
  ),
  closing: { closing: { state: { name: 'closing', asked: true }, context: { accepted: 3 } } },
  paused: { paused: { state: { name: 'paused', step: stepOf('comeCloser'), idle: false } } },
  sending: {
    sending: { state: sending },
    'sending-late': { state: { ...sending, late: true } },
    leaving: { state: { ...sending, phase: 'leaving', share: 1 } },
    checking: { state: { ...sending, phase: 'checking', share: 1 } },
    'checking-late': { state: { ...sending, phase: 'checking', share: 1, late: true } },
  },
  offline: {
    offline: { state: { name: 'offline', awaiting: 'session' } },
    'offline-opening': { state: { name: 'offline', awaiting: 'opening' }, context: { plan: null } },
  },
  furtherTry: {
    'further-try': furtherTry(null),
    ...Object.fromEntries(tips.map((tip) => [`further-try-${tip}`, furtherTry(tip)])),
    'further-try-configured': { ...furtherTry('light'), plan: configured },
  },
  passed: {
    passed: { state: { name: 'passed', redirectUrl, staying: false } },
    'test-passed': {
      state: { name: 'passed', redirectUrl, staying: false },
      plan: { test: { outcome: 'passed' } },
    },
    'passed-here': { state: { name: 'passed', redirectUrl: null, staying: false } },
  },
  notCompleted: {
    'not-completed': { state: { name: 'notCompleted', redirectUrl, staying: false } },
    'not-completed-configured': {
      state: { name: 'notCompleted', redirectUrl, staying: false },
      plan: configured,
    },
  },
  declined: {
    declined: { state: declined },
    'declined-leaving': { state: { ...declined, submission: 'pending', leaving: true } },
    'declined-guest': { state: { ...declined, submission: 'complete' }, context: { isGuest: true } },
  },
  timeOver: {
    'time-over-configured': { state: { name: 'timeOver', redirectUrl, offline: false }, plan: configured },
    'time-over': { state: { name: 'timeOver', redirectUrl, offline: false } },
    'time-over-offline': { state: { name: 'timeOver', redirectUrl, offline: true } },
  },
  cameraProblem: Object.fromEntries(cameraCauses.map((cause) => [`camera-${cause}`, camera(cause)])),
  handoff: {
    handoff: { state: { name: 'handoff', trouble: false } },
    'handoff-trouble': { state: { name: 'handoff', trouble: true } },
  },
  following: {
    following: following('taken'),
    'following-acting': following('acting'),
    'following-checking': following('checking'),
  },
  numberCheck: { 'number-check': { state: { name: 'numberCheck', number: '42' } } },
  codeEntry: {
    'code-entry': { state: { name: 'codeEntry', busy: false, wrong: false } },
    'code-entry-wrong': { state: { name: 'codeEntry', busy: false, wrong: true } },
  },
  passkeyAsked: {
    'passkey-asked': { state: { name: 'passkeyAsked', phase: 'waiting' } },
    'passkey-busy': { state: { name: 'passkeyAsked', phase: 'busy' } },
    'passkey-unused': { state: { name: 'passkeyAsked', phase: 'unused' } },
  },
  passkeyOffered: {
    'passkey-offered': {
      state: { name: 'passkeyOffered', phase: 'waiting', outcome: { passed: true, redirectUrl } },
    },
  },
  moved: {
    moved: { state: { name: 'moved', refused: false } },
    'moved-refused': { state: { name: 'moved', refused: true } },
  },
}

/** All screens by name, in the order in which a visitor might encounter them. */
export const exhibits: Readonly<Record<string, Exhibit>> = Object.assign({}, ...Object.values(byState))
