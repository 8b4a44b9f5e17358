import * as Comlink from 'comlink'
import { median } from '#models/rules/median.ts'
import type { Analysis, EncodedSize, Wanted } from '#workers/api.ts'
import { type AnalysisHost, type AnalysisHosts, createHosts } from './analysis-host.ts'
import type { CameraCause } from './camera/camera-problem.ts'
import { thresholds as t } from './thresholds.ts'

/** One analysed picture. */
export interface Reading {
  readonly analysis: Analysis
  /** The stream's clock in milliseconds: it stands still while analysis lags. */
  readonly at: number
  /** Milliseconds since the camera started. */
  readonly time: number
  /** The same picture as a JPEG. */
  encode(): Promise<Uint8Array>
  /** The same picture as a small JPEG. */
  encodeSmall(size: EncodedSize): Promise<Uint8Array>
}

/** Why pictures cannot be analysed: what it takes did not arrive, or the device does not manage. */
export type AnalysisFailure = Extract<CameraCause, 'notLoaded' | 'tooSlow'>

/** Drives the worker: one picture in flight, as many a second as the device manages. */
export interface Analyser {
  /** Loads what is wanted, in a new worker where the last one failed. */
  prepare(wanted: Wanted): Promise<void>
  start(video: HTMLVideoElement, time: () => number): void
  stop(): void
  /** The paths of every file that analysing what is wanted takes. */
  files(wanted: Wanted): Promise<readonly string[]>
  /** The median of the last analyses, in milliseconds; 0 before the first. */
  pace(): number
}

/** What the analyser is told and whom it tells. */
export interface AnalyserOptions {
  wanted(): Wanted
  /** Called for each picture; the next is taken when it is done. */
  onReading(reading: Reading): Promise<void>
  /** Called when the worker could not load, or broke twice. */
  onBroken(failure: AnalysisFailure): void
  /** Where the worker is kept; a place of its own unless given. */
  readonly hosts?: AnalysisHosts
}

/** Makes the analyser; its worker starts with the first call, since an old browser has none. */
export function createAnalyser(options: AnalyserOptions): Analyser {
  const { wanted, onReading, onBroken, hosts = createHosts() } = options
  const { current } = hosts
  const { prepare, recover } = createLoader(hosts)
  const pace = createPace()
  let run = 0
  const loop = async (mine: number, video: HTMLVideoElement, time: () => number) => {
    const clock = createStreamClock()
    let known: AnalysisHost | undefined
    while (run === mine) {
      const on = current()
      try {
        if (on !== known) await on.within(on.api.forget())
        // The first picture is there already, and whoever came waits for what is said of it.
        if (known !== undefined) await nextPicture(video)
        known = on
        if (run !== mine || video.videoWidth === 0) continue
        const taken = time()
        const startedAt = performance.now()
        const bitmap = await createImageBitmap(video, sizeFor(video, pace.typical()))
        const analysis = await on.within(on.api.follow(Comlink.transfer(bitmap, [bitmap]), wanted()))
        pace.add(performance.now() - startedAt)
        measure(analysis, startedAt)
        if (run !== mine) return
        await onReading({ analysis, at: clock(), time: taken, ...encodersOf(on) })
        await rest(startedAt, pace.typical())
      } catch {
        if (run !== mine) return
        const failure = await recover(on, wanted())
        if (failure !== undefined) return onBroken(failure)
      }
    }
  }
  return {
    prepare,
    start(video, time) {
      run++
      loop(run, video, time).catch(() => onBroken('notLoaded'))
    },
    stop() {
      run++
    },
    async files(desired) {
      const mine = current()
      return mine.within(mine.api.files(desired))
    },
    pace: () => pace.typical(),
  }
}

function encodersOf(host: AnalysisHost): Pick<Reading, 'encode' | 'encodeSmall'> {
  const frame: EncodedSize = { longestSide: t.longestSidePixels, mostBytes: t.frameBytes }
  return {
    encode: () => host.within(host.api.encodeLast(frame, t.jpegQuality)),
    encodeSmall: (size) => host.within(host.api.encodeLast(size, t.film.jpegQuality)),
  }
}

/** Loads into the worker, and once more into a new one where one crashed. */
function createLoader({ current, drop }: AnalysisHosts) {
  let crashes = 0
  const prepare = async (wanted: Wanted) => {
    const mine = current()
    mine.loading++
    try {
      await mine.within(mine.api.prepare(wanted))
      mine.loading--
    } catch (error) {
      drop(mine) // its runtime refuses for ever what failed once
      throw error
    }
  }
  const recover = async (broken: AnalysisHost, wanted: Wanted): Promise<AnalysisFailure | undefined> => {
    drop(broken)
    if (broken.loading > 0) return 'notLoaded'
    crashes++
    if (crashes >= 2) return 'tooSlow'
    return prepare(wanted).then(
      () => undefined,
      () => 'notLoaded',
    )
  }
  return { prepare, recover }
}

const pictureMilliseconds = 250
/** Of a picture that a slow device analyses: its short side, in pixels. */
const slowSide = 480

/** The video's next picture; a timer stands in where a hidden or slow video announces none. */
function nextPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pictureMilliseconds)
    const seen = () => {
      clearTimeout(timer)
      resolve()
    }
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(seen)
    else requestAnimationFrame(seen)
  })
}

/** [Note: Slow devices] Above 120 ms an analysis, four pictures a second at 480 lines leave the page usable. */
function sizeFor(video: HTMLVideoElement, pace: number): ImageBitmapOptions {
  const short = Math.min(video.videoWidth, video.videoHeight)
  if (pace <= t.slowAnalysisMilliseconds || short <= slowSide) return {}
  const scale = slowSide / short
  return {
    resizeWidth: Math.round(video.videoWidth * scale),
    resizeHeight: Math.round(video.videoHeight * scale),
    resizeQuality: 'medium',
  }
}

async function rest(startedAt: number, pace: number): Promise<void> {
  if (pace <= t.slowAnalysisMilliseconds) return
  const left = t.slowIntervalMilliseconds - (performance.now() - startedAt)
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
}

/** Adds up real time, of each gap at most what may be counted. */
function createStreamClock(): () => number {
  let last: number | undefined
  let sum = 0
  return () => {
    const now = performance.now()
    sum += Math.min(t.countedGapMilliseconds, now - (last ?? now))
    last = now
    return sum
  }
}

/** The pace is the median of the last analyses, once there are a few. */
const paceAnalyses = { least: 5, most: 15 } as const

function createPace() {
  const durations: number[] = []
  return {
    add(milliseconds: number) {
      durations.push(milliseconds)
      if (durations.length > paceAnalyses.most) durations.shift()
    },
    typical: () => (durations.length < paceAnalyses.least ? 0 : median(durations)!),
  }
}

/** Entries that a bench reads; the first face has a mark of its own. */
function measure(analysis: Analysis, start: number): void {
  const { durations, detected, face } = analysis
  performance.measure('selfsame:frame', { start, detail: { durations, detected, face: face !== undefined } })
  if (face !== undefined && performance.getEntriesByName('selfsame:first-analysis').length === 0) {
    performance.mark('selfsame:first-analysis')
  }
}
