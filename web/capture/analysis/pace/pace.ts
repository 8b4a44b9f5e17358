import { median } from '#models/rules/median.ts'
import type { Wanted } from '#workers/api.ts'
import { thresholds as t } from '../thresholds.ts'

/** What is done of each picture. */
export interface Effort {
  /** Entered where a whole picture takes longer than `above` milliseconds, and left again below `below`. */
  readonly above: number
  readonly below: number
  /** The short side of a picture, in pixels; as the camera gives it where absent. */
  readonly shortSide?: number
  /** From one picture to the next at least, in milliseconds. */
  readonly interval: number
  /** Liveness is looked at in every so many pictures. */
  readonly livenessEvery: number
}

/**
 * [Note: Slow devices] From everything to the least. Above 120 ms a picture, four pictures a second at 480 lines leave the page usable. Above
 * 250 the liveness network, half of what a picture costs and nothing that guides anybody, sees every third one. Smaller pictures would save nothing
 * more: networks are fed crops of one size. What is entered at one pace is left at a quicker one, so that nothing changes to and fro.
 */
export const efforts: readonly Effort[] = [
  { above: 0, below: 0, interval: 0, livenessEvery: 1 },
  { ...t.slow.first, shortSide: 480, interval: t.slow.intervalMilliseconds, livenessEvery: 1 },
  { ...t.slow.second, shortSide: 480, interval: t.slow.intervalMilliseconds, livenessEvery: 3 },
]

/** One picture that was analysed. Milliseconds. */
export interface Taken {
  /** From the camera's picture to the answer. */
  readonly took: number
  /** What of it went by between the page and its worker. */
  readonly way: number
  /** False if a slow device left something out. */
  readonly isWhole: boolean
  /** False if a network was still loading. */
  readonly isLoaded: boolean
}

/** How quickly pictures are analysed, and what follows from it. */
export interface Pace {
  add(taken: Taken): void
  /** The median of the last pictures, in milliseconds; 0 before there are a few for which every network was there. */
  typical(): number
  /** True if the device cannot keep up; never before there are ten such pictures. */
  isTooSlow(): boolean
  effort(): Effort
  /** Whether this browser copies a picture on its way to the worker: as large ones then stay here as can. */
  isCopying(): boolean
}

/** [Note: A network is no pace] The pace is the median of the last analyses, once there are a few; pictures that came while networks were still being loaded have none. */
const analyses = { least: 5, leastToRefuse: 10, most: 15 } as const
/** [Note: The quickest way counts] A busy machine delays any message; only a copy delays every one. */
const copying = { pictures: 8, milliseconds: 4 } as const

/** Makes the pace of an analyser. */
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

/** What is wanted of the picture of this number. */
export function thinned(wanted: Wanted, { livenessEvery }: Effort, picture: number): Wanted {
  if (picture % livenessEvery === 0 || wanted.liveness === undefined) return wanted
  const { liveness: _, ...others } = wanted
  return others
}
