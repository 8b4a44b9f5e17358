import { type ReadonlySignal, signal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { emptyView, type LiveView } from '#web/capture/analysis/tracker.ts'
import { advance, beginning, firstEffects } from '#web/capture/machine/machine.ts'
import type { Effect, Event, Situation } from '#web/capture/machine/state.ts'
import { createDeviceReport } from '#web/capture/sending/device-report.ts'
import type { ShownWording } from '#web/capture/sending/submit.ts'
import { createUplink, type Uplink } from '#web/capture/sending/uplink.ts'
import type { ActingHint, Hint } from '#web/wording/findings.ts'
import { readAbilities, unsuitedBrowser } from './browser.ts'
import { followDeadline } from './deadline.ts'
import { createDepart, exitOf } from './departure.ts'
import { encodesPictures } from './honest-canvas.ts'
import { createLiveCapture, type LiveCapture } from './live-capture.ts'
import { createServerSide } from './server-side.ts'
import type { SideFactory, VisitSide } from './visit-side.ts'
import { createWaits, type Waits } from './waits.ts'

/** The running page, with its state and events. */
export interface Flow {
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly video: HTMLVideoElement
  readonly send: (event: Event) => void
  /** Link that continues this session in another tab; null before it is open. */
  readonly elsewhere: () => string | null
  /** Paths of all files that this visit's analysis may still need; empty while they are unknown. */
  readonly files: () => Promise<readonly string[]>
  /** Turns the camera off and removes all listeners so that the page can run another flow. */
  readonly end: () => void
}

/** Options of the flow. */
export interface FlowOptions {
  readonly onSpeak: (hint: Hint | ActingHint) => void
  /** The version and language of the consent wording. */
  readonly wording: (plan: CapturePlan) => Promise<ShownWording>
  /** Replaces the server, which is the default. */
  readonly side?: SideFactory
  /** Owns the analysis worker. A separate one is created by default. */
  readonly hosts?: AnalysisHosts
  /** The id of the camera to request, or null. Defaults to the front camera. */
  readonly camera?: () => string | null
}

/** Starts the page: runs the state machine's effects and turns their results into events. */
export function startFlow(options: FlowOptions): Flow {
  const { onSpeak, wording, side = createServerSide, hosts, camera: preferredCamera } = options
  const over = new AbortController()
  const situation = signal(beginning)
  const view = emptyView()
  const report = createDeviceReport()

  const send = (event: Event) => {
    if (over.signal.aborted) return
    const before = situation.value
    const { situation: after, effects } = advance(before, event)
    if (after.state.name !== before.state.name) waits.clear()
    situation.value = after
    if (!isOffered(after)) visit.session?.handoff.stopFollowing()
    deadline.follow(after.context.expiresAt)
    for (const effect of effects) run(effect)
  }
  const waits = createWaits(send)
  const deadline = followDeadline(send)
  const { signal: ended } = over
  const uplink = createUplink()
  const onSure = (picture: Picture) => handIn(situation.value, visit, send, picture)
  const camera = { report, preferredCamera, hosts, ended, frameBytes: uplink.frameBytes }
  const capture = createLiveCapture({ send, situation, view, onSpeak, onSure, ...camera })
  const { film, lookBack, time } = capture
  const visit = side({ send, situation, wording, report, film, lookBack, time, uplink, ended })
  const depart = createDepart(exitOf(window))
  const leave = (redirectUrl: string) => {
    deadline.stop()
    visit.session?.forget()
    depart(redirectUrl, situation.value.context.plan?.embedOrigins ?? [])
  }
  const runs = runsOf(send, capture, visit, waits, uplink, leave)
  const run = (effect: Effect) => (runs[effect.type] as (effect: Effect) => unknown)(effect)

  listen(send, () => visit.session?.bye(), ended)
  for (const effect of firstEffects) run(effect)
  return {
    situation,
    view,
    video: capture.video,
    send,
    elsewhere: () => visit.session?.elsewhere() ?? null,
    async files() {
      const { plan } = situation.value.context
      return plan === null ? [] : capture.files(plan)
    },
    end() {
      over.abort()
      capture.close()
      waits.clear()
      deadline.stop()
    },
  }
}

/** How long a phone vibrates when an action appears. */
const shakeMilliseconds = 30

type Runs = { [T in Effect['type']]: (effect: Extract<Effect, { readonly type: T }>) => unknown }

/** The implementation of each effect. */
function runsOf(
  send: (event: Event) => void,
  capture: LiveCapture,
  visit: VisitSide,
  waits: Waits,
  uplink: Uplink,
  leave: (redirectUrl: string) => void,
): Runs {
  const { session } = visit
  return {
    open() {
      const cause = unsuitedBrowser(readAbilities())
      if (cause !== undefined) return send({ type: 'unsuited', cause })
      // A busy browser encodes late, so the link is read in the meantime. Reading uses nothing up.
      void encodesPictures().then((encodes) => encodes || send({ type: 'unsuited', cause: 'hiddenPictures' }))
      return visit.open()
    },
    prepare: ({ plan }) => capture.prepare(plan),
    openCamera: ({ choice }) => {
      uplink.forget()
      return capture.open(choice)
    },
    closeCamera: capture.close,
    track({ stage }) {
      if (stage.name === 'action') navigator.vibrate?.(shakeMilliseconds)
      capture.track(stage)
    },
    submitStep: visit.submitStep,
    submitSession({ closing }) {
      if (closing.kind === 'frames') performance.mark('selfsame:last-frame')
      return visit.submitSession(closing)
    },
    dropSubmission: visit.drop,
    wait: ({ milliseconds, event }) => waits.begin(milliseconds, event),
    leave: ({ redirectUrl }) => leave(redirectUrl),
    sendAgain: () => session?.sendAgain(),
    begin: () => session?.begin(),
    remember: () => session?.remember(),
    findWayBack: () => session?.findWayBack(),
    passkey: ({ ceremony }) => session?.holdPasskey(ceremony),
    makeCode: () => session?.handoff.makeCode(),
    cancelHandoff: () => session?.handoff.cancel(),
    follow: () => session?.handoff.follow(),
    takeCode: ({ code }) => session?.handoff.takeCode(code),
  }
}

/** Sends a picture while its step is in progress. Returns false if no step is in progress, or if pictures cannot be sent early. */
function handIn(
  situation: Situation,
  visit: VisitSide,
  send: (event: Event) => void,
  picture: Picture,
): boolean {
  const step = stepUnderWay(situation)
  if (step === undefined || visit.handIn === undefined) return false
  visit.handIn(step, picture)
  send({ type: 'handedIn' })
  return true
}

/** The number of the step in progress; undefined if there is none or if the step does not belong to a challenge. */
function stepUnderWay({ state, context }: Situation): number | undefined {
  if (context.plan?.challenge == null) return undefined
  if (state.name === 'action') return state.step.step
  return state.name === 'hold' && context.progress.kind === 'fresh' ? 0 : undefined
}

/** True while another device could take over the session, so that the page must poll its state. */
function isOffered({ state }: Situation): boolean {
  if (state.name === 'cameraProblem') return state.cause === 'embedded'
  return state.name === 'handoff' || state.name === 'following'
}

function listen(send: (event: Event) => void, bye: () => void, signal: AbortSignal): void {
  const until = { signal }
  document.addEventListener('visibilitychange', () => document.hidden && send({ type: 'hidden' }), until)
  const left = () => {
    bye()
    send({ type: 'hidden' })
  }
  addEventListener('pagehide', left, until)
  addEventListener('online', () => send({ type: 'online' }), until)
  // A new code in the fragment does not reload the page by itself.
  if (location.pathname === '/handoff') addEventListener('hashchange', () => location.reload(), until)
}
