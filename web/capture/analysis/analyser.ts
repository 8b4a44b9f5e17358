import * as Comlink from 'comlink'
import type { CameraCause } from '#web/wording/findings.ts'
import type { Analysis, AnalysisStages, EncodedSize, NetworkLoading, WrongFileName } from '#workers/api.ts'
import { type AnalysisHost, type AnalysisHosts, createHosts, WorkerStopped } from './analysis-host.ts'
import { createPace, type Effort, type Pace, thinned } from './pace/pace.ts'
import { openPictureSource, type PictureSource, type SourcedPicture } from './pictures/picture-source.ts'
import { thresholds as t } from './thresholds.ts'

/** One analysed picture. */
export interface Reading {
  readonly analysis: Analysis
  /** Stream time in milliseconds. This clock stops while the analysis lags behind. */
  readonly at: number
  /** Milliseconds since the camera started. */
  readonly time: number
  /** How long the page waited for this picture, in milliseconds. It is far longer than requested when the browser saves power. */
  readonly waited: number
  /** The same picture as a JPEG. */
  encode(): Promise<Uint8Array>
  /** The same picture as a small JPEG. */
  encodeSmall(size: EncodedSize): Promise<Uint8Array>
}

/** Why pictures cannot be analysed: files failed to load, or the device is too slow. */
export type AnalysisFailure = Extract<CameraCause, 'notLoaded' | 'wrongFile' | 'tooSlow'>

/** Drives the worker, one picture at a time, as fast as the device allows. */
export interface Analyser {
  /** Loads the requested networks, starting a new worker if the last one failed. */
  prepare(wanted: AnalysisStages, onLoading?: (loading: NetworkLoading) => void): Promise<void>
  start(video: HTMLVideoElement, time: () => number): void
  stop(): void
  /** Paths of all the files that these analyses need. */
  files(wanted: AnalysisStages): Promise<readonly string[]>
  /** Median duration of the latest analyses, in milliseconds; 0 until a few have run with all networks loaded. */
  pace(): number
  /** True if the device cannot keep up. Never true before ten pictures have been analysed with all networks loaded. */
  isTooSlow(): boolean
}

/** The analyser's inputs and callbacks. */
export interface AnalyserOptions {
  wanted(): AnalysisStages
  /** Receives each picture; the next one is taken after it resolves. */
  onReading(reading: Reading): Promise<void>
  /** Runs if the worker failed to load or crashed twice. */
  onBroken(failure: AnalysisFailure): void
  /** Maximum size of a full picture in bytes; defaults to the server's limit. */
  readonly frameBytes?: () => number
  /** Owns the worker. By default, the analyser creates its own hosts. */
  readonly hosts?: AnalysisHosts
  /** Delays in milliseconds before each retry when the worker's script fails to load. */
  readonly startPauses?: readonly number[]
}

/** Creates the analyser. The worker starts on the first call, because old browsers do not support it. */
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
          else if (!isRunning) source.stop() // otherwise a newer run has replaced this one
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

/** Creates the function that analyses one picture and reports the result. A run that has ended reports nothing. */
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
  // Slow devices capture smaller pictures, so the encoded ones are not made larger than that.
  const longest =
    shortSide === undefined ? t.longestSidePixels : shortSide * Math.max(width / height, height / width)
  const longestSide = Math.min(t.longestSidePixels, Math.round(longest))
  let whole = kept
  return {
    async encode() {
      const late = whole
      whole = undefined
      if (late !== undefined) await host.within(host.api.enlarge(Comlink.transfer(late, [late])))
      const size = { longestSide, mostBytes: frameBytes(), wantedBytes: t.wantedFrameBytes }
      return host.within(host.api.encodeLast(size, t.jpegQuality))
    },
    encodeSmall: (size) => host.within(host.api.encodeLast(size, t.film.jpegQuality)),
  }
}

/** Loads networks into the worker. If it crashes, tries once more in a new worker. */
function createLoader({ current, drop }: AnalysisHosts, startPauses: readonly number[]) {
  let crashes = 0
  const prepareOnce = async (wanted: AnalysisStages, onLoading: (loading: NetworkLoading) => void) => {
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
  const prepare = async (wanted: AnalysisStages, onLoading: (loading: NetworkLoading) => void = () => {}) => {
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
  const recover = async (
    broken: AnalysisHost,
    wanted: AnalysisStages,
  ): Promise<AnalysisFailure | undefined> => {
    drop(broken)
    if (broken.loading > 0) return 'notLoaded'
    crashes++
    if (crashes >= 2) return 'tooSlow'
    return prepare(wanted).then(() => undefined, loadFailureOf)
  }
  return { prepare, recover }
}

/** Maps a load error to its cause. */
export function loadFailureOf(error: unknown): AnalysisFailure {
  return (error as Error).name === ('WrongFileError' satisfies WrongFileName) ? 'wrongFile' : 'notLoaded'
}

async function rest(startedAt: number, { interval }: Effort): Promise<void> {
  const left = interval - (performance.now() - startedAt)
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
}

/** Adds up the elapsed time, counting each gap only up to a limit. */
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

/** Creates performance entries: one per frame, plus marks for the first look, first landmarks and first complete face analysis. */
function createMeasure() {
  const marked = new Set<string>()
  const markOnce = (name: string) => {
    if (marked.has(name)) return
    marked.add(name) // otherwise the browser would search thousands of entries for every picture
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
