import type { Place } from './place.ts'

/** Pictures per second of a usual camera. */
export const fullRate = 25

/**
 * Pictures per second of an acted camera. Playwright's tests use the rate of the extracted clips, twelve, because a higher one would only repeat pictures
 * with different noise. Tests of the camera, the long form and benches use 25.
 */
export const cameraRate = Number(process.env.ACTED_RATE ?? fullRate)

/** Behaviour of the acted camera. */
export interface Acting {
  /**
   * `asked`: plays the segment of the requested action, frontal otherwise; `loop`: plays the whole clip
   * repeatedly, whatever is requested.
   */
  readonly manner: 'asked' | 'loop'
  /** Source of the requested action: the page's state, or the server's answers. */
  /** Pictures per second; by default that of the run. */
  readonly rate?: number
  readonly reads?: 'page' | 'network'
  /** Movement of the picture as a whole, like a hand-held photograph. */
  readonly motion?: 'held' | 'panned' | 'tilted'
  /** Standard deviation of the noise added to each picture. */
  readonly noise?: number
  /** Factor for the brightness; random by default. */
  readonly gain?: number
  /**
   * Moves closer and back according to the page's hints if a size is requested: the middle of the picture grows and its
   * edge stays. Without this, the person stays.
   */
  readonly comesCloser?: boolean
  /** Includes the pictures in the script. Requesting them takes time and disables the browser's cache. */
  readonly brings?: boolean
  /** `human` by default: reads and moves like people, with `hurried` and `slow` as extremes. `quick` acts at once. */
  readonly pace?: Pace
  /** Initial position of the person, who then follows the page's hints; by default the position in the clip. */
  readonly place?: Place
}

/** Time to react to a text and to return from a movement: range in milliseconds. */
export const paces = {
  human: { reaction: [300, 1000], wayBack: [300, 800] },
  quick: { reaction: [0, 0], wayBack: [0, 0] },
  hurried: { reaction: [300, 300], wayBack: [300, 300] },
  slow: { reaction: [1000, 1000], wayBack: [800, 800] },
} as const satisfies Record<string, Record<'reaction' | 'wayBack', readonly [number, number]>>
export type Pace = keyof typeof paces
