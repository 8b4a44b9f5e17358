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
  /** Time of the stream in milliseconds; it stops while the analysis lags. */
  readonly at: number
  /** Milliseconds since the camera started. */
  readonly time: number
  /** Milliseconds that the page waited for the camera's picture; much longer than requested if the browser saves power. */
  readonly waited: number
  /** The same picture as a JPEG. */
  encode(): Promise<Uint8Array>
  /** The same picture as a small JPEG. */
  encodeSmall(size: EncodedSize): Promise<Uint8Array>
}

/** Why pictures cannot be analysed: required files did not load, or the device is too slow. */
export type AnalysisFailure = Extract<CameraCause, 'notLoaded' | 'wrongFile' | 'tooSlow'>

/** Drives the worker: one picture at a time, at the highest rate that the device manages. */
export interface Analyser {
  /** Loads the required networks, in a new worker if the last one failed. */
  prepare(wanted: Wanted, onLoading?: (loading: NetworkLoading) => void): Promise<void>
  start(video: HTMLVideoElement, time: () => number): void
  stop(): void
  /** Paths of all files that these analyses need. */
  files(wanted: Wanted): Promise<readonly string[]>
  /** Median time of the last analyses in milliseconds; 0 until a few were made with all networks loaded. */
  pace(): number
  /** True if the device cannot keep up; only after ten pictures with all networks loaded. */
  isTooSlow(): boolean
}

/** Input and callbacks of the analyser. */
export interface AnalyserOptions {
  wanted(): Wanted
  /** Receives each picture; the next one is taken after it resolves. */
  onReading(reading: Reading): Promise<void>
  /** Runs if the worker could not load or crashed twice. */
  onBroken(failure: AnalysisFailure): void
  /** How many bytes a whole picture may have; as many as the server takes unless given. */
  readonly frameBytes?: () => number
  /** Keeps the worker; the analyser makes its own hosts if none are given. */
  readonly hosts?: AnalysisHosts
  /** Milliseconds before each further attempt to start a worker whose script did not load. */
  readonly startPauses?: readonly number[]
}

/** Creates the analyser. Its worker starts with the first call, because old browsers have none. */
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
          else if (!isRunning) source.stop() // otherwise a later run has replaced it
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
  const measure = createMeasure()
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

/** If the worker received a reduced picture, the full one is encoded on demand. */
function encodersOf(
  host: AnalysisHost,
  { shortSide }: Effort,
  { kept, analysis: { width, height } }: Pick<SourcedPicture, 'kept' | 'analysis'>,
  frameBytes: () => number,
): Pick<Reading, 'encode' | 'encodeSmall'> {
  // On a slow device, pictures are encoded no larger than it would have captured them.
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

/** Loads networks into the worker and, after a crash, once more into a new one. */
function createLoader({ current, drop }: AnalysisHosts, startPauses: readonly number[]) {
  let crashes = 0
  const prepareOnce = async (wanted: Wanted, onLoading: (loading: NetworkLoading) => void) => {
    const mine = current()
    mine.loading++
    try {
      await mine.within(mine.api.prepare(wanted, Comlink.proxy(onLoading)))
      mine.loading--
    } catch (error) {
      drop(mine) // its runtime never retries a failed load
      throw error
    }
  }
  /** [Note: A script that did not arrive] Browsers do not say why a worker failed to start. The network is the usual reason. */
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

/** Maps the error of a failed load to its cause. */
export function loadFailureOf(error: unknown): AnalysisFailure {
  return (error as Error).name === ('WrongFileError' satisfies WrongFileName) ? 'wrongFile' : 'notLoaded'
}

async function rest(startedAt: number, { interval }: Effort): Promise<void> {
  const left = interval - (performance.now() - startedAt)
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
}

/** Sums up real time, counting each gap only up to a limit. */
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

/** Makes entries for measurements: each frame, and marks for the first look, the first points and the first whole analysis of a face. */
function createMeasure() {
  const marked = new Set<string>()
  const markOnce = (name: string) => {
    if (marked.has(name)) return
    marked.add(name) // the browser searches thousands of entries, at each picture
    if (performance.getEntriesByName(name).length === 0) performance.mark(name)
  }
  return ({ durations, detected, face, missing }: Analysis, start: number): void => {
    const hasFace = face !== undefined
    performance.measure('selfsame:frame', { start, detail: { durations, detected, face: hasFace } })
    markOnce('selfsame:first-look')
    if (hasFace) markOnce('selfsame:first-points')
    if (hasFace && missing === undefined) markOnce('selfsame:first-analysis')
  }
}
