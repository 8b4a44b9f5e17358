import { type ReadonlySignal, signal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { createAnalyser } from '#web/visit/capture/analyser.ts'
import type { AnalysisHosts } from '#web/visit/capture/analysis-host.ts'
import { createBlackWatch } from '#web/visit/capture/black-watch.ts'
import { createCamera } from '#web/visit/capture/camera.ts'
import type { Hint } from '#web/visit/capture/guidance.ts'
import { createTracker, emptyView, type LiveView } from '#web/visit/capture/tracker.ts'
import { advance, beginning, firstEffects } from '#web/visit/machine/machine.ts'
import type { Effect, Event, Situation } from '#web/visit/machine/state.ts'
import { createDeviceReport } from '#web/visit/sending/device-report.ts'
import type { Wanted } from '#workers/api.ts'
import { readAbilities, unsuitedBrowser } from './browser.ts'
import { watchDeadline } from './deadline.ts'
import { createDepart, exitOf } from './departure.ts'
import { readLink } from './link.ts'
import { createServerSide, type SideFactory } from './server-side.ts'

/** The running page: what it shows, and what may happen to it. */
export interface Flow {
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly video: HTMLVideoElement
  readonly send: (event: Event) => void
  /** Where another tab goes on with this session; null before it is open. */
  readonly elsewhere: () => string | null
  /** The paths of every file that the analysis of this visit may yet take; none before it is known. */
  readonly files: () => Promise<readonly string[]>
  /** Turns the camera off and hears nothing more: another run may begin on the same page. */
  readonly end: () => void
}

/** What the flow asks of the screens. */
export interface FlowOptions {
  readonly onSpeak: (hint: Hint) => void
  /** The version of the consent's wording, and its language. */
  readonly wording: (plan: CapturePlan) => Promise<{ wordingVersion: string; locale: string }>
  /** What answers in the place of a server; the server itself unless given. */
  readonly side?: SideFactory
  /** Where the analysis worker is kept; a place of the run's own unless given. */
  readonly hosts?: AnalysisHosts
  /** The id of the camera to ask for, or null; the one that faces the person unless given. */
  readonly camera?: () => string | null
}

/** Starts the page: runs the machine's effects, and turns what happens into its events. */
export function startFlow({
  onSpeak,
  wording,
  side = createServerSide,
  hosts,
  camera: preferred,
}: FlowOptions): Flow {
  const over = new AbortController()
  const situation = signal(beginning)
  const view = emptyView()
  const waits = new Map<Event['type'], ReturnType<typeof setTimeout>>()
  let stopDeadline = () => {}

  const send = (event: Event) => {
    if (over.signal.aborted) return
    const before = situation.value
    const { situation: after, effects } = advance(before, event)
    if (after.state.name !== before.state.name) clearWaits()
    situation.value = after
    if (!isOffered(after)) server.handoff.stopFollowing()
    if (after.context.expiresAt !== before.context.expiresAt) startDeadline(after.context.expiresAt)
    for (const effect of effects) run(effect)
  }
  const clearWaits = () => {
    for (const wait of waits.values()) clearTimeout(wait)
    waits.clear()
  }
  const startDeadline = (expiresAt: number | null) => {
    stopDeadline()
    if (expiresAt === null) return
    const near = () => send({ type: 'deadlineNear' })
    stopDeadline = watchDeadline(expiresAt, near, () => send({ type: 'deadlineOver' }))
  }

  const camera = createCamera(() => send({ type: 'cameraLost' }), preferred)
  const report = createDeviceReport()
  const depart = createDepart(exitOf(window))
  const server = side({ send, situation, wording, report, time: camera.time })
  const tracker = createTracker({ view, onEnd: send, onSpeak })
  const black = createBlackWatch(() => {
    camera.close()
    send({ type: 'cameraLost' })
  })
  const analyser = createAnalyser({
    wanted: () => wantedNow(situation.value),
    async onReading(reading) {
      report.add(reading.analysis)
      black(reading)
      view.slow.value = analyser.pace() > 400
      if (analyser.pace() > 1500) return send({ type: 'analysisBroken', cause: 'tooSlow' })
      await tracker.read(reading)
    },
    onBroken: (cause) => send({ type: 'analysisBroken', cause }),
    ...(hosts === undefined ? {} : { hosts }),
  })

  const openCamera = async (other: boolean) => {
    analyser.stop()
    const cause = await camera.open(other)
    if (cause === 'embedded') console.warn('The frame of this page needs the attribute allow="camera".')
    if (cause !== undefined) return send({ type: 'cameraRefused', cause })
    if (over.signal.aborted || !isStillWanted(situation.value)) return camera.close()
    view.mirrored.value = camera.mirrored()
    send({ type: 'cameraOpened' })
    await camera.firstPicture()
    send({ type: 'cameraReady' })
    analyser.start(camera.video, camera.time)
  }
  const prepare = (plan: CapturePlan) =>
    analyser.prepare(wantedOf(plan)).then(
      () => send({ type: 'analysisReady' }),
      () => send({ type: 'analysisBroken', cause: 'notLoaded' }),
    )
  const open = () => {
    const cause = unsuitedBrowser(readAbilities())
    if (cause !== undefined) return send({ type: 'unsuited', cause })
    if (readLink(location).kind !== 'none') analyser.prepare({}).catch(() => {}) // told when the plan is known
    return server.open()
  }
  const wait = (milliseconds: number, event: Event) => {
    clearTimeout(waits.get(event.type)) // one wait for each event: asking anew starts it anew
    waits.set(
      event.type,
      setTimeout(() => send(event), milliseconds),
    )
  }
  const run = (effect: Effect): unknown => {
    switch (effect.type) {
      case 'open':
        return open()
      case 'prepare':
        return prepare(effect.plan)
      case 'openCamera':
        return openCamera(effect.other)
      case 'closeCamera':
        analyser.stop()
        return camera.close()
      case 'track':
        if (effect.stage.name === 'action') navigator.vibrate?.(30)
        return tracker.track(effect.stage)
      case 'submitStep':
        return server.submitStep(effect)
      case 'submitSession':
        if (effect.closing.kind === 'frames') performance.mark('selfsame:last-frame')
        return server.submitSession(effect.closing)
      case 'sendAgain':
        return server.sendAgain()
      case 'dropSubmission':
        return server.drop()
      case 'remember':
        return server.remember()
      case 'findWayBack':
        return server.findWayBack()
      case 'wait':
        return wait(effect.milliseconds, effect.event)
      case 'makeCode':
        return server.handoff.makeCode()
      case 'cancelHandoff':
        return server.handoff.cancel()
      case 'follow':
        return server.handoff.follow()
      case 'takeCode':
        return server.takeCode(effect.code)
      case 'leave':
        stopDeadline()
        server.forget()
        return depart(effect.redirectUrl, situation.value.context.plan?.embedOrigins ?? [])
    }
  }

  listen(send, server.bye, over.signal)
  for (const effect of firstEffects) run(effect)
  const files = async () => {
    const { plan } = situation.value.context
    return plan === null ? [] : analyser.files({ ...wantedOf(plan), eyes: plan.challenge !== null })
  }
  const end = () => {
    over.abort()
    analyser.stop()
    camera.close()
    clearWaits()
    stopDeadline()
  }
  return { situation, view, video: camera.video, send, elsewhere: server.elsewhere, files, end }
}

/** The person may have left while the browser asked. */
function isStillWanted({ state }: Situation): boolean {
  return state.name === 'asking'
}

/** Whether another device may have the session: what becomes of it there is looked at. */
function isOffered({ state }: Situation): boolean {
  if (state.name === 'cameraProblem') return state.cause === 'embedded'
  return state.name === 'handoff' || state.name === 'following'
}

/**
 * [Note: What the device computes] Light liveness where it is checked; expressions where they may be asked; eyes for a
 * blink. What the plan does not name is not even loaded: the server may have no network for it.
 */
function wantedOf(plan: CapturePlan | null): Wanted {
  const { liveness = false, emotion = false } = plan?.verifiers ?? {}
  const isAsked = plan !== null && plan.challenge !== null
  return {
    ...(liveness ? { liveness: 'light' as const } : {}),
    ...(isAsked || emotion ? { expression: 'light' as const } : {}),
  }
}

function wantedNow({ state, context }: Situation): Wanted {
  const blinks = state.name === 'action' && state.step.action === 'blink'
  return { ...wantedOf(context.plan), ...(blinks ? { eyes: true } : {}) }
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
  // Another code in the address of the same page loads nothing by itself.
  if (location.pathname === '/handoff') addEventListener('hashchange', () => location.reload(), until)
}
