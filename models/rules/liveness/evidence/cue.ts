/** What pixels, light and time can tell of a session, each in a file of its own next to this one. */
export type CueName = 'light' | 'rim' | 'cuts' | 'perspective'

/**
 * `held`: as with a living person; `broken`: as no living person was ever measured; `cannotTell`: the signal was too weak, or
 * what it needs was not asked for. Only `broken` speaks against anybody; `cannotTell` lowers what the session is worth.
 */
export type CueAnswer = 'held' | 'broken' | 'cannotTell'

export interface Cue {
  readonly name: CueName
  readonly answer: CueAnswer
  /** What was measured, in the cue's own unit; null where nothing was. */
  readonly value: number | null
}
