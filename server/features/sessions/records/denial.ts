/** The face that must not pass and that a person matches. Its external ID is looked up when the result is read. */
export interface DeniedFace {
  readonly collectionId: string
  readonly faceId: string
}

/** The result of a search among the faces that must not pass. */
export interface Denial {
  /** Null if the person matches none of them. */
  readonly match: DeniedFace | null
  /** True if a collection no longer exists, or belongs to other networks. */
  readonly isSkipped: boolean
}
