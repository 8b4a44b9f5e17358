import * as Comlink from 'comlink'
import type { Analysis, EncodedSize, Wanted } from '#workers/api.ts'
import { type AnalysisHost, type AnalysisHosts, createHosts } from './analysis-host.ts'
import type { CameraCause } from './camera/camera-problem.ts'
import { createPace, type Effort, thinned } from './pace/pace.ts'
import { pictureOf } from './pace/picture-taking.ts'
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

/** What the analyser gets, and whom it reports to. */
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
  let count = 0
  const loop = async (mine: number, video: HTMLVideoElement, time: () => number) => {
    const clock = createStreamClock()
    let known: AnalysisHost | undefined
    while (run === mine) {
      const on = current()
      try {
        if (on !== known) await on.within(on.api.forget())
        const waitsFrom = performance.now()
        // The first picture is there already, and whoever came waits for what is said of it.
        if (known !== undefined) await nextPicture(video)
        known = on
        if (run !== mine || video.videoWidth === 0) continue
        const taken = time()
        const startedAt = performance.now()
        const waited = startedAt - waitsFrom
        const { sent, kept } = await pictureOf(video, pace)
        const sentAt = performance.now()
        const all = wanted()
        const some = thinned(all, pace.effort(), count++)
        const analysis = await on.within(on.api.follow(Comlink.transfer(sent, [sent]), some))
        const { worker = 0 } = analysis.durations
        const [picture, way] = [performance.now() - startedAt, performance.now() - sentAt - worker]
        pace.add({ picture, way, isWhole: some === all })
        measure(analysis, startedAt)
        if (run !== mine) return kept?.close()
        await onReading({ analysis, at: clock(), time: taken, waited, ...encodersOf(on, kept) })
        kept?.close()
        await rest(startedAt, pace.effort())
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

/** `kept` is the whole picture where the worker was sent a smaller one: it follows once it is asked for. */
function encodersOf(host: AnalysisHost, kept?: ImageBitmap): Pick<Reading, 'encode' | 'encodeSmall'> {
  const frame: EncodedSize = { longestSide: t.longestSidePixels, mostBytes: t.frameBytes }
  let whole = kept
  return {
    async encode() {
      const late = whole
      whole = undefined
      if (late !== undefined) await host.within(host.api.enlarge(Comlink.transfer(late, [late])))
      return host.within(host.api.encodeLast(frame, t.jpegQuality))
    },
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

/** Entries that a bench reads; the first face has a mark of its own. */
function measure(analysis: Analysis, start: number): void {
  const { durations, detected, face } = analysis
  performance.measure('selfsame:frame', { start, detail: { durations, detected, face: face !== undefined } })
  if (face !== undefined && performance.getEntriesByName('selfsame:first-analysis').length === 0) {
    performance.mark('selfsame:first-analysis')
  }
}
