import type { Raster } from '#lab/pictures/raster.ts'
import type { VerificationConfig } from '../../shared/contract/configuration/verification-config.ts'
import type { Action } from '../../shared/contract/sessions/session.ts'
import type { FilmKind } from './films.ts'

export type VerifierConfigs = NonNullable<VerificationConfig['verifierConfigs']>

/** A verification's liveness settings other than the challenge type. If empty, the default configuration is used. */
export type LivenessSettings = Omit<NonNullable<VerifierConfigs['liveness']>, 'type' | 'challengeType'>

/** A part of a visit. `start` and `end` are straight looks. */
export type Moment = 'start' | Action | 'end'

/** The pictures for one session. */
export interface Forgery {
  /** Returns `count` JPEGs in chronological order. For an action, the first one shows the beginning of the movement and the last one its peak. */
  frames(moment: Moment, count: number): Promise<readonly Buffer[]>
  /**
   * The film of a moment at the given times, each 0...1. It goes from a straight look through the action, which peaks around the middle, back to
   * the straight look at the start of the next moment.
   */
  film(moment: Moment, places: readonly number[]): Promise<readonly Raster[]>
  /** How long a moment takes in that film. */
  readonly momentInMilliseconds: number
  /** The times in that film at which the frames are taken, if the forger gets to choose them. */
  readonly placesOfFrames?: (moment: Moment) => readonly number[]
  /** The forgery of a different person, if the film should show that person. */
  readonly other?: Forgery
  /** How the forger avoids requested actions, if it does. */
  readonly dodge?: Dodge
}

/** Keeps looking straight ahead until one of these actions is requested. */
export interface Dodge {
  readonly shows: readonly Action[]
  /** The reaction to a step that requests another action. Leaving a session costs the forger nothing. */
  readonly others: 'failed' | 'exchanged' | 'left'
}

/** A person whose face is presented to the camera. */
export interface Subject {
  /** Identifies the person, but is never printed. */
  readonly name: string
  /** Returns the pictures for another session, which differ from those of all other sessions. */
  forge(session: number): Forgery
}

/** Something presented to the camera instead of a living person. */
export interface Instrument {
  readonly name: string
  /** A one-sentence description for the report. */
  readonly is: string
  /** The film to send unless a run specifies a different one. Defaults to `own`. */
  readonly film?: FilmKind
  /** The configuration to attack, if this instrument cannot be used with the default one. */
  readonly asked?: LivenessSettings
  /** Limits the concurrent sessions if drawing is slow, because steps have a deadline. */
  readonly atOnce?: number
  /** Returns at most `most` people, or fewer if there is not enough material. */
  subjects(most: number): Promise<readonly Subject[]>
}
