import type { Action } from '../../shared/contract/sessions/session.ts'
import type { FilmKind } from './films.ts'
import type { Asked } from './methods/method.ts'
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
  /** Where in that film the frames of a moment are taken, where the forger has a mind of his own about it. */
  readonly placesOfFrames?: (moment: Moment) => readonly number[]
  /** The forgery of another person, if the film is to show that person. */
  readonly other?: Forgery
  /** Where the forger does not do what is asked: what is done instead. */
  readonly dodge?: Dodge
}

/** Straight looks, whatever is asked, until one of some actions is. */
export interface Dodge {
  readonly shows: readonly Action[]
  /** What becomes of a step that asks for another one; a session that is left costs nothing. */
  readonly others: 'failed' | 'exchanged' | 'left'
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
  /** What is sent along as the film where nothing else is wanted: `own` where absent. */
  readonly film?: FilmKind
  /** The configuration that it takes, where the default one leaves it no way. */
  readonly asked?: Asked
  /** So many sessions at once at most, where what it draws takes long: a step has its time. */
  readonly atOnce?: number
  /** At most so many people; fewer where the material has no more. */
  subjects(most: number): Promise<readonly Subject[]>
}
