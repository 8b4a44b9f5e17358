/** Evidence from a session's pixels, lighting and timing. Each cue has its own file next to this one. */
export type CueName = 'light' | 'rim' | 'cuts' | 'perspective'

/**
 * `held`: as expected of a living person. `broken`: unlike any living person measured. `cannotTell`: the signal was too weak, or its
 * precondition was not requested. Only `broken` counts against a person; `cannotTell` lowers the session's assurance.
 */
export type CueAnswer = 'held' | 'broken' | 'cannotTell'

export interface Cue {
  readonly name: CueName
  readonly answer: CueAnswer
  /** The measured value in the cue's unit, or null if there is none. */
  readonly value: number | null
}
