import type { Place } from './place.ts'

/** Pictures a second of a usual camera. */
export const fullRate = 25

/**
 * Pictures a second of an acted camera. Playwright's tests film as clips are cut, with twelve: what lies between is the same picture
 * with other noise. What is about the camera films with 25, and so does everything in the long form, and what measures.
 */
export const cameraRate = Number(process.env.ACTED_RATE ?? fullRate)

/** How the acted camera behaves. */
export interface Acting {
  /**
   * `asked`: plays the segment of the action that the page asks for, frontal otherwise; `loop`: plays the whole clip
   * over and over, whatever is asked.
   */
  readonly manner: 'asked' | 'loop'
  /** What tells the actor which action is asked: the page's words (its state), or the server's answers. */
  /** Pictures a second of the camera; as the run has it, unless given. */
  readonly rate?: number
  readonly reads?: 'page' | 'network'
  /** What is done to the picture as a whole: a photograph in the hand. */
  readonly motion?: 'held' | 'panned' | 'tilted'
  /** Standard deviation of the noise that is added anew to every picture. */
  readonly noise?: number
  /** What the light is multiplied by; drawn where it is not given. */
  readonly gain?: number
  /**
   * Comes closer and goes back as the page's hints say, where it asks for a size: the middle of the picture grows, and its
   * rim stays where it is. Who does not, stays.
   */
  readonly comesCloser?: boolean
  /** Brings its pictures with its script: to be asked for them, as otherwise, takes time and switches the browser's cache off. */
  readonly brings?: boolean
  /** `human`, unless given: reads and moves as people do, `hurried` and `slow` are its ends. `quick` does at once what is asked. */
  readonly pace?: Pace
  /** Where the person is at first; from there they go as the page's hints say. Where the clip has them, unless given. */
  readonly place?: Place
}

/** How long a person takes to answer a word, and to come back from a movement: from, to, in milliseconds. */
export const paces = {
  human: { reaction: [300, 1000], wayBack: [300, 800] },
  quick: { reaction: [0, 0], wayBack: [0, 0] },
  hurried: { reaction: [300, 300], wayBack: [300, 300] },
  slow: { reaction: [1000, 1000], wayBack: [800, 800] },
} as const satisfies Record<string, Record<'reaction' | 'wayBack', readonly [number, number]>>
export type Pace = keyof typeof paces
