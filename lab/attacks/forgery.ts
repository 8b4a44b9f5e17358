import type { Action } from '#shared/contract/sessions/session.ts'
import type { Raster } from './pictures/raster.ts'

/** What is shown at a moment of a visit: `start` and `end` are straight looks. */
export type Moment = 'start' | Action | 'end'

/** What one session is made of. */
export interface Forgery {
  /** So many JPEGs in the order of time. Of an action the first is on the way, the last at its height. */
  frames(moment: Moment, count: number): Promise<readonly Buffer[]>
  /**
   * The film of a moment at some places of its time, each 0...1: from a straight look through the action at its height, about
   * the middle, and back to the straight look with which the next moment begins.
   */
  film(moment: Moment, places: readonly number[]): Promise<readonly Raster[]>
  /** How long a moment takes in that film. */
  readonly momentInMilliseconds: number
}

/** Somebody whose face is put before the camera. */
export interface Subject {
  /** Tells people apart; never printed. */
  readonly name: string
  /** The pictures of one more session, which differ from those of any other. */
  forge(session: number): Forgery
}

/** What is put in. */
export interface Instrument {
  readonly name: string
  /** In a sentence, for the report. */
  readonly is: string
  /** At most so many people; fewer where the material has no more. */
  subjects(most: number): Promise<readonly Subject[]>
}
