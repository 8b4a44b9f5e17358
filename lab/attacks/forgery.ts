import type { Action } from '../../shared/contract/sessions/session.ts'
import type { FilmKind } from './films.ts'
import type { Asked } from './methods/method.ts'
import type { Raster } from './pictures/raster.ts'

/** A moment of a visit. `start` and `end` are straight looks. */
export type Moment = 'start' | Action | 'end'

/** The pictures of one session. */
export interface Forgery {
  /** `count` JPEGs in chronological order. For an action, the first shows the movement under way and the last its peak. */
  frames(moment: Moment, count: number): Promise<readonly Buffer[]>
  /**
   * The film of a moment at the given times, each 0...1. It goes from a straight look through the action, at its peak
   * around the middle, and back to the straight look that starts the next moment.
   */
  film(moment: Moment, places: readonly number[]): Promise<readonly Raster[]>
  /** Duration of a moment in that film. */
  readonly momentInMilliseconds: number
  /** Times in that film at which the frames are taken, if the forger chooses them. */
  readonly placesOfFrames?: (moment: Moment) => readonly number[]
  /** The forgery of another person, if the film is to show that person. */
  readonly other?: Forgery
  /** Where the forger does not do what is asked: what is done instead. */
  readonly dodge?: Dodge
}

/** Looks straight ahead until one of these actions is requested. */
export interface Dodge {
  readonly shows: readonly Action[]
  /** How a step that asks for another action is handled. Leaving a session costs the forger nothing. */
  readonly others: 'failed' | 'exchanged' | 'left'
}

/** A person whose face is shown to the camera. */
export interface Subject {
  /** Identifies the person; never printed. */
  readonly name: string
  /** The pictures of another session, different from those of every other session. */
  forge(session: number): Forgery
}

/** Something shown in place of a living person. */
export interface Instrument {
  readonly name: string
  /** One sentence for the report. */
  readonly is: string
  /** Film to send unless a run asks for another one. Default `own`. */
  readonly film?: FilmKind
  /** Configuration to attack, if the default one rules this instrument out. */
  readonly asked?: Asked
  /** Limit of concurrent sessions if drawing is slow, because a step has a deadline. */
  readonly atOnce?: number
  /** At most `most` people; fewer if the material has no more. */
  subjects(most: number): Promise<readonly Subject[]>
}
