import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { type Analyser, createAnalyser, loadFailureOf, type Reading } from '#web/capture/analysis/analyser.ts'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import { createBlackWatch } from '#web/capture/analysis/camera/black-watch.ts'
import { type Camera, type CameraChoice, createCamera } from '#web/capture/analysis/camera/camera.ts'
import { untilLit } from '#web/capture/analysis/camera/lit-picture.ts'
import { isLargeEnough } from '#web/capture/analysis/camera/picture-size.ts'
import { createStillWatch } from '#web/capture/analysis/camera/still-watch.ts'
import { createFilm, type Film } from '#web/capture/analysis/film.ts'
import { filmByClock } from '#web/capture/analysis/film-clock.ts'
import { isHint } from '#web/capture/analysis/guidance.ts'
import { createLookBack } from '#web/capture/analysis/look-back.ts'
import { createThrottleWatch } from '#web/capture/analysis/pace/throttle-watch.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { createTracker, type LiveView, type Stage } from '#web/capture/analysis/tracker.ts'
import type { Event, Situation, StateName } from '#web/capture/machine/state.ts'
import type { DeviceReport } from '#web/capture/sending/device-report.ts'
import type { ActingHint, CameraCause, Hint } from '#web/wording/findings.ts'
import type { AnalysisStages, NetworkLoading } from '#workers/api.ts'

/** A visit's camera and analysis. */
export type LiveCapture = ReturnType<typeof createLiveCapture>

interface Options {
  readonly send: (event: Event) => void
  readonly situation: ReadonlySignal<Situation>
  readonly view: LiveView
  readonly report: DeviceReport
  readonly onSpeak: (hint: Hint | ActingHint) => void
  /** Sends a picture while its step is in progress. Returns false if it was not sent. */
  readonly onSure: (picture: Picture) => boolean
  readonly preferredCamera: (() => string | null) | undefined
  readonly hosts: AnalysisHosts | undefined
  /** The maximum size of a picture in bytes. */
  readonly frameBytes?: () => number
  /** Aborts when the visit is over. A camera that opens later is closed immediately. */
  readonly ended: AbortSignal
}

/** Creates a visit's capture. */
export function createLiveCapture(options: Options) {
  const { send, situation, view, report, onSpeak, onSure, preferredCamera, hosts, ended } = options
  const lost = () => send({ type: 'cameraLost' })
  const camera = createCamera(lost, preferredCamera)
  const film = createFilm(() => filmWanted(situation.value))
  const lookBack = createLookBack()
  const showPace = createPaceDisplay(view)
  const tracker = createTracker({ view, onEnd: send, onSpeak, onSure, onFrame: film.addFrame })
  const watchCamera = createCameraWatch(() => closeAs(lost, camera), send)
  const analyser: Analyser = createAnalyser({
    wanted: () => wantedNow(situation.value),
    async onReading(reading) {
      report.add(reading.analysis)
      watchCamera(reading)
      showPace(analyser.pace(), reading.waited)
      if (analyser.isTooSlow()) return send({ type: 'analysisBroken', cause: 'tooSlow' })
      await film.see(reading)
      await tracker.read(reading)
      if (straight.has(situation.value.state.name)) lookBack.add(reading.analysis, hintOf(view))
    },
    onBroken: (cause) => send({ type: 'analysisBroken', cause }),
    ...(hosts && { hosts }),
    ...(options.frameBytes && { frameBytes: options.frameBytes }),
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
    async open(choice: CameraChoice) {
      stop()
      void showOthers(camera, view) // the first request may never be answered
      const cause = await camera.open(choice)
      if (cause === 'superseded') return
      void showOthers(camera, view)
      if (cause !== undefined) return send(refusedFor(cause))
      // The person may have left while the browser's prompt was open.
      if (ended.aborted || situation.value.state.name !== 'asking') return camera.close()
      view.mirrored.value = camera.mirrored()
      report.opened(camera.label())
      send({ type: 'cameraOpened' })
      // The tab may have been hidden while the camera was opening. That is not a refusal.
      if (document.hidden) return send({ type: 'hidden' })
      const event = await readiness(camera, () => situation.value.state.name !== 'starting')
      if (event === undefined) return
      send(event)
      if (event.type === 'cameraReady') start()
    },
    close() {
      stop()
      camera.close()
    },
    /** Paths of all files that the analysis may need for this plan. */
    files: (plan: CapturePlan) => analyser.files(wantedEver(plan)),
  }
}

/** Reports a camera whose picture goes black or never changes. */
function createCameraWatch(onBlack: () => void, send: Options['send']) {
  const watchBlack = createBlackWatch(onBlack)
  const watchStill = createStillWatch(() => send({ type: 'cameraUseless', cause: 'noPicture' }))
  return (reading: Reading): void => {
    watchBlack(reading)
    watchStill(reading)
  }
}

/** Starts and stops the film's clock along with the analyser. */
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

/** Shows whether the device is slow or is being throttled to save power. */
function createPaceDisplay(view: LiveView) {
  const isHeldUp = createThrottleWatch()
  return (milliseconds: number, waited: number): void => {
    view.heldUp.value = isHeldUp(waited)
    view.slow.value = milliseconds > thresholds.moveSlowlyMilliseconds
  }
}

/** Loads the plan's networks, shows the progress, and reports each analysis level as it becomes available. */
async function prepareFor(
  plan: CapturePlan,
  analyser: Analyser,
  view: LiveView,
  send: Options['send'],
): Promise<void> {
  let reported: NetworkLoading['reached'] = 'nothing'
  let isOver = false
  const onLoading = ({ reached, ...bytes }: NetworkLoading) => {
    if (isOver) return // reports and answers use different channels
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

async function showOthers(camera: Pick<Camera, 'others'>, view: LiveView): Promise<void> {
  view.cameras.value = await camera.others()
}

/** Waits for a picture that is not black; undefined if the page has moved on without it. */
async function readiness(camera: Camera, isOver: () => boolean): Promise<Event | undefined> {
  await camera.firstPicture()
  if (!(await untilLit(camera.video, isOver))) return undefined
  const isLarge = await isLargeEnough(camera.video, isOver)
  if (isOver()) return undefined
  return isLarge ? { type: 'cameraReady' } : { type: 'cameraUseless', cause: 'smallPicture' }
}

/** From the first straight look to the final one, including while the server answers. */
const filmed: ReadonlySet<StateName> = new Set(['hold', 'done', 'action', 'closing', 'retake'])

function closeAs(lost: () => void, camera: Pick<Camera, 'close'>): void {
  camera.close()
  lost()
}

/** Stages in which the person looks straight ahead. Faults during an action do not help with the next try. */
const straight: ReadonlySet<StateName> = new Set(['align', 'hold', 'closing'])

/** The current hint, unless it is about an action. */
function hintOf({ hint: { value } }: LiveView): Hint | null {
  return value !== null && isHint(value) ? value : null
}

/** [Note: Film wherever frames are taken] Pauses that the person requested are not filmed. Pauses after a timeout are, to be submitted. */
function isFilmed(state: Situation['state']): boolean {
  return filmed.has(state.name) || (state.name === 'paused' && state.idle)
}

function filmWanted({ state, context }: Situation): CapturePlan['evidence'] {
  return isFilmed(state) ? (context.plan?.evidence ?? null) : null
}

/** [Note: The film begins with the straight look] Restarting the straight look restarts the film. */
function tracked(film: Film, track: (stage: Stage) => void) {
  return (stage: Stage) => {
    if (stage.name === 'hold') film.clear()
    track(stage)
  }
}

/**
 * [Note: What the device computes] Light liveness if liveness is checked; expressions if they may be requested; eyes for a
 * blink. Networks that the plan does not need are not loaded, because the server might not have them.
 */
function wantedOf(plan: CapturePlan | null): AnalysisStages {
  const { liveness = false, emotion = false } = plan?.verifiers ?? {}
  const isAsked = plan !== null && plan.challenge !== null
  return {
    ...(liveness ? { liveness: 'light' as const } : {}),
    ...(isAsked || emotion ? { expression: 'light' as const } : {}),
  }
}

/** Also includes the eyes, which only one action needs. */
function wantedEver(plan: CapturePlan): AnalysisStages {
  return { ...wantedOf(plan), eyes: plan.challenge !== null }
}

function wantedNow({ state, context }: Situation): AnalysisStages {
  const blinks = state.name === 'action' && state.step.action === 'blink'
  return { ...wantedOf(context.plan), ...(blinks ? { eyes: true } : {}) }
}
