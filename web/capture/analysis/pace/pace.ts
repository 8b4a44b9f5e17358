import { median } from '#models/rules/median.ts'
import type { AnalysisStages } from '#workers/api.ts'
import { thresholds as t } from '../thresholds.ts'

/** How much work is done per picture. */
export interface Effort {
  /** This level applies once a full picture takes more than `above` milliseconds, until it takes less than `below`. */
  readonly above: number
  readonly below: number
  /** The picture's short side in pixels; defaults to the camera's. */
  readonly shortSide?: number
  /** Minimum time between two pictures, in milliseconds. */
  readonly interval: number
  /** Liveness is analysed in every nth picture. */
  readonly livenessEvery: number
}

/**
 * [Note: Slow devices] From full to least effort. Above 120 ms per picture, four pictures per second at 480 lines keep the page usable. Above
 * 250 ms the liveness network, which takes half of the time but does not guide the person, analyses every third picture. Smaller pictures would not
 * help further, because the networks receive crops of a fixed size. Leaving a level requires a faster pace than entering it, so that levels do not alternate.
 */
export const efforts: readonly Effort[] = [
  { above: 0, below: 0, interval: 0, livenessEvery: 1 },
  { ...t.slow.first, shortSide: 480, interval: t.slow.intervalMilliseconds, livenessEvery: 1 },
  { ...t.slow.second, shortSide: 480, interval: t.slow.intervalMilliseconds, livenessEvery: 3 },
]

/** One analysed picture. Times are milliseconds. */
export interface AnalysedPicture {
  /** Time from receiving the camera's picture to receiving the answer. */
  readonly took: number
  /** How much of that time was spent between the page and the worker. */
  readonly way: number
  /** False if work was skipped on a slow device. */
  readonly isWhole: boolean
  /** False if a network was still loading. */
  readonly isLoaded: boolean
}

/** How fast the analysis runs, and what follows from that. */
export interface Pace {
  add(taken: AnalysedPicture): void
  /** Median duration of the latest pictures in milliseconds; 0 until a few have been analysed with all networks loaded. */
  typical(): number
  /** True if the device cannot keep up. Never true before ten such pictures. */
  isTooSlow(): boolean
  effort(): Effort
  /** True if this browser copies pictures that are sent to the worker, in which case large ones are reduced first. */
  isCopying(): boolean
}

/** [Note: A network is no pace] The pace is the median of the latest analyses. Pictures taken while networks were loading do not count. */
const analyses = { least: 5, leastToRefuse: 10, most: 15 } as const
/** [Note: The quickest way counts] A busy machine delays some messages, but copying delays all of them. */
const copying = { pictures: 8, milliseconds: 4 } as const

/** Creates an analyser's pace tracker. */
export function createPace(): Pace {
  const pictures: number[] = []
  const ways: number[] = []
  let whole: number[] = []
  let step = 0
  let isCopying = false
  const typical = () => (pictures.length < analyses.least ? 0 : median(pictures)!)
  const change = (by: number) => {
    step += by
    whole = []
  }
  return {
    add({ took, way, isWhole, isLoaded }) {
      if (!isLoaded) return
      keep(pictures, took, analyses.most)
      keep(ways, way, copying.pictures)
      isCopying ||= ways.length === copying.pictures && Math.min(...ways) > copying.milliseconds
      if (isWhole) keep(whole, took, analyses.most)
      if (whole.length < analyses.least) return
      const pace = median(whole)!
      if (step + 1 < efforts.length && pace > efforts[step + 1]!.above) change(1)
      else if (pace < efforts[step]!.below) change(-1)
    },
    typical,
    isTooSlow: () => pictures.length >= analyses.leastToRefuse && typical() > t.tooSlowMilliseconds,
    effort: () => efforts[step]!,
    isCopying: () => isCopying,
  }
}

function keep(numbers: number[], number: number, most: number): void {
  numbers.push(number)
  if (numbers.length > most) numbers.shift()
}

/** The analyses to run on the picture with this number. */
export function thinned(wanted: AnalysisStages, { livenessEvery }: Effort, picture: number): AnalysisStages {
  if (picture % livenessEvery === 0 || wanted.liveness === undefined) return wanted
  const { liveness: _, ...others } = wanted
  return others
}
