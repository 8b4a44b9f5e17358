import * as Comlink from 'comlink'
import type { Analysis, EncodedSize, NetworkLoading, Wanted, WrongFileName } from '#workers/api.ts'
import { type AnalysisHost, type AnalysisHosts, createHosts, WorkerStopped } from './analysis-host.ts'
import type { CameraCause } from './camera/camera-problem.ts'
import { createPace, type Effort, type Pace, thinned } from './pace/pace.ts'
import { openPictureSource, type PictureSource, type SourcedPicture } from './pictures/picture-source.ts'
import { thresholds as t } from './thresholds.ts'

/** One analysed picture. */
export interface Reading {
  readonly analysis: Analysis
  /** The stream's clock in milliseconds: it stands still while analysis lags. */
  readonly at: number
  /** Milliseconds since the camera started. */
  readonly time: number
  /** How long the page waited for the camera's picture, in milliseconds: far longer than asked where the browser saves power. */
  readonly waited: number
  /** The same picture as a JPEG. */
  encode(): Promise<Uint8Array>
  /** The same picture as a small JPEG. */
  encodeSmall(size: EncodedSize): Promise<Uint8Array>
}

/** Why pictures cannot be analysed: what it takes did not arrive, or the device does not manage. */
export type AnalysisFailure = Extract<CameraCause, 'notLoaded' | 'wrongFile' | 'tooSlow'>

/** Drives the worker: one picture in flight, as many a second as the device manages. */
export interface Analyser {
  /** Loads what is wanted, in a new worker if the last one failed. */
  prepare(wanted: Wanted, onLoading?: (loading: NetworkLoading) => void): Promise<void>
  start(video: HTMLVideoElement, time: () => number): void
  stop(): void
  /** The paths of every file that analysing what is wanted takes. */
  files(wanted: Wanted): Promise<readonly string[]>
  /** The median of the last analyses, in milliseconds; 0 before there are a few for which every network was there. */
  pace(): number
  /** True if the device cannot keep up; never before every network has been there for ten pictures. */
  isTooSlow(): boolean
}

/** What the analyser gets, and whom it reports to. */
export interface AnalyserOptions {
  wanted(): Wanted
  /** Called for each picture; the next is taken when it is done. */
  onReading(reading: Reading): Promise<void>
  /** Called when the worker could not load, or broke twice. */
  onBroken(failure: AnalysisFailure): void
  /** How many bytes a whole picture may have; as many as the server takes unless given. */
  readonly frameBytes?: () => number
  /** Where the worker is kept; a place of its own unless given. */
  readonly hosts?: AnalysisHosts
  /** Milliseconds before each further try to start a worker whose script did not arrive. */
  readonly startPauses?: readonly number[]
}

/** Makes the analyser; its worker starts with the first call, since an old browser has none. */
export function createAnalyser(options: AnalyserOptions): Analyser {
  const { wanted, onBroken, hosts = createHosts(), startPauses = [1000, 2000, 4000, 8000] } = options
  const { current } = hosts
  const { prepare, recover } = createLoader(hosts, startPauses)
  const pace = createPace()
  const look = createLook(options, pace)
  let run = 0
  let isRunning = false
  let stopSource = () => {}
  const loop = async (mine: number, video: HTMLVideoElement, time: () => number) => {
    const clock = createStreamClock()
    let known: AnalysisHost | undefined
    let source: PictureSource | undefined
    while (run === mine) {
      const on = current()
      try {
        if (on !== known || source === undefined) {
          await on.within(on.api.forget())
          if (run !== mine) return
          source = await openPictureSource(on, video, pace, time)
          known = on
          if (run === mine) stopSource = source.stop
          else if (!isRunning) source.stop() // a later run has replaced it otherwise
        }
        if (run !== mine) return
        await look(on, source, clock, () => run === mine)
      } catch (error) {
        if (run !== mine) return
        console.warn('The analysis stopped:', error)
        const failure = await recover(on, wanted())
        if (failure !== undefined) return onBroken(failure)
      }
    }
  }
  return {
    prepare,
    start(video, time) {
      run++
      isRunning = true
      loop(run, video, time).catch(() => onBroken('notLoaded'))
    },
    stop() {
      run++
      isRunning = false
      stopSource()
      stopSource = () => {}
    },
    async files(desired) {
      const mine = current()
      return mine.within(mine.api.files(desired))
    },
    pace: () => pace.typical(),
    isTooSlow: () => pace.isTooSlow(),
  }
}

/** Makes what has one picture analysed and reports it; a run that is over reports nothing. */
function createLook(
  {
    wanted,
    onReading,
    frameBytes = () => t.frameBytes,
  }: Pick<AnalyserOptions, 'wanted' | 'onReading' | 'frameBytes'>,
  pace: Pace,
) {
  let count = 0
  return async (on: AnalysisHost, source: PictureSource, clock: () => number, isCurrent: () => boolean) => {
    const startedAt = performance.now()
    const all = wanted()
    const some = thinned(all, pace.effort(), count++)
    const picture = await source.next(some)
    if (!isCurrent()) return picture?.kept?.close()
    if (picture === undefined) return
    const { analysis, kept, waited, time, took } = picture
    pace.add({ ...picture, isWhole: some === all, isLoaded: analysis.missing === undefined })
    measure(analysis, performance.now() - took)
    await onReading({
      analysis,
      at: clock(),
      time,
      waited,
      ...encodersOf(on, pace.effort(), picture, frameBytes),
    })
    kept?.close()
    await rest(startedAt + waited, pace.effort())
  }
}

/** A whole picture that the worker was not sent follows once it is asked for. */
function encodersOf(
  host: AnalysisHost,
  { shortSide }: Effort,
  { kept, analysis: { width, height } }: Pick<SourcedPicture, 'kept' | 'analysis'>,
  frameBytes: () => number,
): Pick<Reading, 'encode' | 'encodeSmall'> {
  // A slow device encodes no more than it would have taken of the camera.
  const longest =
    shortSide === undefined ? t.longestSidePixels : shortSide * Math.max(width / height, height / width)
  const longestSide = Math.min(t.longestSidePixels, Math.round(longest))
  let whole = kept
  return {
    async encode() {
      const late = whole
      whole = undefined
      if (late !== undefined) await host.within(host.api.enlarge(Comlink.transfer(late, [late])))
      return host.within(host.api.encodeLast({ longestSide, mostBytes: frameBytes() }, t.jpegQuality))
    },
    encodeSmall: (size) => host.within(host.api.encodeLast(size, t.film.jpegQuality)),
  }
}

/** Loads into the worker, and once more into a new one if one crashed. */
function createLoader({ current, drop }: AnalysisHosts, startPauses: readonly number[]) {
  let crashes = 0
  const prepareOnce = async (wanted: Wanted, onLoading: (loading: NetworkLoading) => void) => {
    const mine = current()
    mine.loading++
    try {
      await mine.within(mine.api.prepare(wanted, Comlink.proxy(onLoading)))
      mine.loading--
    } catch (error) {
      drop(mine) // its runtime refuses for ever what failed once
      throw error
    }
  }
  /** [Note: A script that did not arrive] A browser does not say why a worker fails to start; the network is the usual reason. */
  const prepare = async (wanted: Wanted, onLoading: (loading: NetworkLoading) => void = () => {}) => {
    for (const pause of [...startPauses, undefined]) {
      let hasStarted = false
      try {
        return await prepareOnce(wanted, (loading) => {
          hasStarted = true
          onLoading(loading)
        })
      } catch (error) {
        if (hasStarted || pause === undefined || !(error instanceof WorkerStopped)) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
  const recover = async (broken: AnalysisHost, wanted: Wanted): Promise<AnalysisFailure | undefined> => {
    drop(broken)
    if (broken.loading > 0) return 'notLoaded'
    crashes++
    if (crashes >= 2) return 'tooSlow'
    return prepare(wanted).then(() => undefined, loadFailureOf)
  }
  return { prepare, recover }
}

/** Why networks could not be loaded. */
export function loadFailureOf(error: unknown): AnalysisFailure {
  return (error as Error).name === ('WrongFileError' satisfies WrongFileName) ? 'wrongFile' : 'notLoaded'
}

async function rest(startedAt: number, { interval }: Effort): Promise<void> {
  const left = interval - (performance.now() - startedAt)
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

/** Entries for measurements: each frame, and marks for the first look, the first points and the first whole analysis of a face. */
function measure(analysis: Analysis, start: number): void {
  const { durations, detected, face, missing } = analysis
  const hasFace = face !== undefined
  performance.measure('selfsame:frame', { start, detail: { durations, detected, face: hasFace } })
  markOnce('selfsame:first-look')
  if (hasFace) markOnce('selfsame:first-points')
  if (hasFace && missing === undefined) markOnce('selfsame:first-analysis')
}

function markOnce(name: string): void {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name)
}
