import type { Place } from './place.ts'

/** How many pictures per second a typical camera delivers. */
export const fullRate = 25

/**
 * How many pictures per second an acted camera delivers. Playwright tests use twelve, like the extracted clips, because a higher rate would
 * only repeat pictures with different noise. Camera tests, the long form and benches use 25.
 */
export const cameraRate = Number(process.env.ACTED_RATE ?? fullRate)

/** How the acted camera behaves. */
export interface Acting {
  /**
   * `asked`: plays the requested action's segment, or otherwise a frontal one; `loop`: plays the whole clip
   * repeatedly, whatever is requested.
   */
  readonly manner: 'asked' | 'loop'
  /** The source of the requested action: the page's state, or the server's answers. */
  /** Pictures per second; defaults to the rate for this run. */
  readonly rate?: number
  readonly reads?: 'page' | 'network'
  /** Moves the picture as a whole, like a photograph held by hand. */
  readonly motion?: 'held' | 'panned' | 'tilted'
  /** The standard deviation of the noise that is added to each picture. */
  readonly noise?: number
  /** The brightness factor; random by default. */
  readonly gain?: number
  /**
   * Moves closer and back as the page's hints say if a size is requested: the middle of the picture grows, and its
   * edge stays. Without this, the person does not move.
   */
  readonly comesCloser?: boolean
  /** Includes the pictures in the script. Requesting them would take time and disable the browser's cache. */
  readonly brings?: boolean
  /** Defaults to `human`, which reads and moves like people, with `hurried` and `slow` as extremes. `quick` reacts as fast as anyone does. */
  readonly pace?: Pace
  /**
   * Turns the other way first when a turn is requested for the first time. `corrected`: notices it after a while, or from the page's hint;
   * `untilHint`: only from the hint; `kept`: never.
   */
  readonly turnsWrongFirst?: 'corrected' | 'untilHint' | 'kept'
  /** The person's starting point before following the page's hints; defaults to the position in the clip. */
  readonly place?: Place
}

/** How long it takes to react to a text and to return from a movement, as ranges in milliseconds. */
export const paces = {
  human: { reaction: [300, 1000], wayBack: [300, 800] },
  /** The simplest reaction to a picture takes a fifth of a second, so the head is seen straight before each turn. */
  quick: { reaction: [200, 200], wayBack: [0, 0] },
  hurried: { reaction: [300, 300], wayBack: [300, 300] },
  slow: { reaction: [1000, 1000], wayBack: [800, 800] },
  /** Reads every instruction twice. */
  reading: { reaction: [2500, 2500], wayBack: [800, 800] },
} as const satisfies Record<string, Record<'reaction' | 'wayBack', readonly [number, number]>>
export type Pace = keyof typeof paces
