/** Evidence in pixels, light and time of a session, each in a separate file next to this one. */
export type CueName = 'light' | 'rim' | 'cuts' | 'perspective'

/**
 * `held`: as with a living person. `broken`: unlike any living person measured. `cannotTell`: the signal was too weak, or
 * its precondition was not requested. Only `broken` counts against a person; `cannotTell` lowers the assurance of the
 * session.
 */
export type CueAnswer = 'held' | 'broken' | 'cannotTell'

export interface Cue {
  readonly name: CueName
  readonly answer: CueAnswer
  /** The measured value in the cue's unit; null if there is none. */
  readonly value: number | null
}
