import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { ActingHint } from '#web/capture/analysis/action-watch.ts'
import { type Analyser, createAnalyser, loadFailureOf } from '#web/capture/analysis/analyser.ts'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import { createBlackWatch } from '#web/capture/analysis/camera/black-watch.ts'
import { type Camera, createCamera } from '#web/capture/analysis/camera/camera.ts'
import type { CameraCause } from '#web/capture/analysis/camera/camera-problem.ts'
import { createFilm, type Film } from '#web/capture/analysis/film.ts'
import { filmByClock } from '#web/capture/analysis/film-clock.ts'
import { type Hint, isHint } from '#web/capture/analysis/guidance.ts'
import { createLookBack } from '#web/capture/analysis/look-back.ts'
import { createThrottleWatch } from '#web/capture/analysis/pace/throttle-watch.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { createTracker, type LiveView, type Stage } from '#web/capture/analysis/tracker.ts'
import type { Event, Situation, StateName } from '#web/capture/machine/state.ts'
import type { DeviceReport } from '#web/capture/sending/device-report.ts'
import type { NetworkLoading, Wanted } from '#workers/api.ts'

/** The camera of a visit, and what reads its pictures. */
export type LiveCapture = ReturnType<typeof createLiveCapture>

interface Options {
  readonly send: (event: Event) => void
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly report: DeviceReport
  readonly onSpeak: (hint: Hint | ActingHint) => void
  /** Hands a picture in while its step is acted; answers whether it went. */
  readonly onSure: (picture: Picture) => boolean
  readonly preferredCamera: (() => string | null) | undefined
  readonly hosts: AnalysisHosts | undefined
  /** The visit is over: a camera that is opened after it is closed at once. */
  readonly ended: AbortSignal
}

/** Makes the capture of one visit. */
export function createLiveCapture(options: Options) {
  const { send, situation, view, report, onSpeak, onSure, preferredCamera, hosts, ended } = options
  const lost = () => send({ type: 'cameraLost' })
  const camera = createCamera(lost, preferredCamera)
  const film = createFilm(() => filmWanted(situation.value))
  const lookBack = createLookBack()
  const showPace = createPaceDisplay(view)
  const tracker = createTracker({ view, onEnd: send, onSpeak, onSure })
  const watchBlack = createBlackWatch(() => closeAs(lost, camera))
  const analyser: Analyser = createAnalyser({
    wanted: () => wantedNow(situation.value),
    async onReading(reading) {
      report.add(reading.analysis)
      watchBlack(reading)
      showPace(analyser.pace(), reading.waited)
      if (analyser.isTooSlow()) return send({ type: 'analysisBroken', cause: 'tooSlow' })
      await film.see(reading)
      await tracker.read(reading)
      if (straight.has(situation.value.state.name)) lookBack.add(reading.analysis, hintOf(view))
    },
    onBroken: (cause) => send({ type: 'analysisBroken', cause }),
    ...(hosts && { hosts }),
  })
  const { start, stop } = filmedBy(film, camera, analyser)

  return {
    video: camera.video,
    /** Milliseconds since the camera started. */
    time: camera.time,
    film,
    lookBack,
    track: tracked(film, tracker.track),
    prepare: (plan: CapturePlan) => prepareFor(plan, analyser, view, send),
    async open(other: boolean) {
      stop()
      const cause = await camera.open(other)
      if (cause === 'superseded') return
      if (cause !== undefined) return send(refusedFor(cause))
      // The person may have left while the browser asked.
      if (ended.aborted || situation.value.state.name !== 'asking') return camera.close()
      view.mirrored.value = camera.mirrored()
      report.opened(camera.label())
      send({ type: 'cameraOpened' })
      // The tab may have been left while the camera opened, which is no reason to stop asking.
      if (document.hidden) return send({ type: 'hidden' })
      await camera.firstPicture()
      send({ type: 'cameraReady' })
      start()
    },
    close() {
      stop()
      camera.close()
    },
    /** The paths of every file that the analysis of this plan may take. */
    files: (plan: CapturePlan) => analyser.files(wantedEver(plan)),
  }
}

/** The analyser and the clock of the film begin and end together. */
function filmedBy(film: Film, { video, time }: Pick<Camera, 'video' | 'time'>, analyser: Analyser) {
  let endFilm = () => {}
  return {
    start() {
      analyser.start(video, time)
      endFilm = filmByClock(film, video, time)
    },
    stop() {
      analyser.stop()
      endFilm()
    },
  }
}

/** Shows that the device is slow, or held up to save power. */
function createPaceDisplay(view: LiveView) {
  const isHeldUp = createThrottleWatch()
  return (milliseconds: number, waited: number): void => {
    view.heldUp.value = isHeldUp(waited)
    view.slow.value = milliseconds > thresholds.moveSlowlyMilliseconds
  }
}

/** Loads what the plan may need, shows the progress, and reports each level that the analysis reaches. */
async function prepareFor(
  plan: CapturePlan,
  analyser: Analyser,
  view: LiveView,
  send: Options['send'],
): Promise<void> {
  let reported: NetworkLoading['reached'] = 'nothing'
  let isOver = false
  const onLoading = ({ reached, ...bytes }: NetworkLoading) => {
    if (isOver) return // reports and answers come by different ways
    const guides = reached === 'guidance' || reached === 'everything'
    view.loading.value = guides ? null : bytes
    if (reached === reported || reached === 'nothing' || reached === 'everything') return
    reported = reached
    send({ type: 'analysisAdvanced', to: reached })
  }
  try {
    await analyser.prepare(wantedEver(plan), onLoading)
    send({ type: 'analysisReady' })
  } catch (error) {
    console.warn('The analysis could not be loaded:', error)
    send({ type: 'analysisBroken', cause: loadFailureOf(error) })
  } finally {
    isOver = true
    view.loading.value = null
  }
}

function refusedFor(cause: CameraCause): Event {
  if (cause === 'embedded') console.warn('The frame of this page needs the attribute allow="camera".')
  return { type: 'cameraRefused', cause }
}

/** From the straight look to the last one, also while the server answers. */
const filmed: ReadonlySet<StateName> = new Set(['hold', 'done', 'action', 'closing', 'retake'])

function closeAs(lost: () => void, camera: Pick<Camera, 'close'>): void {
  camera.close()
  lost()
}

/** The stages of a straight look: what an action spoils says nothing of the next try. */
const straight: ReadonlySet<StateName> = new Set(['align', 'hold', 'closing'])

/** Words about an action are no fault of a look. */
function hintOf({ hint: { value } }: LiveView): Hint | null {
  return value !== null && isHint(value) ? value : null
}

/** [Note: Wherever frames are taken] A pause that a person asked for is not filmed; one that the clock made is, since its pictures are handed in. */
function isFilmed(state: Situation['state']): boolean {
  return filmed.has(state.name) || (state.name === 'paused' && state.idle)
}

function filmWanted({ state, context }: Situation): CapturePlan['evidence'] {
  return isFilmed(state) ? (context.plan?.evidence ?? null) : null
}

/** [Note: The film begins with the straight look] One that begins anew begins the film anew. */
function tracked(film: Film, track: (stage: Stage) => void) {
  return (stage: Stage) => {
    if (stage.name === 'hold') film.clear()
    track(stage)
  }
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

/** Includes the eyes, which a single action needs. */
function wantedEver(plan: CapturePlan): Wanted {
  return { ...wantedOf(plan), eyes: plan.challenge !== null }
}

function wantedNow({ state, context }: Situation): Wanted {
  const blinks = state.name === 'action' && state.step.action === 'blink'
  return { ...wantedOf(context.plan), ...(blinks ? { eyes: true } : {}) }
}
