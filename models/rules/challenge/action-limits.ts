/**
 * Thresholds for actions, relative to the person's own face at rest. Degrees and shares; calibrated on footage of living
 * people and of tilted photographs, which move a plane's landmarks by less than half of each.
 *
 * [Note: Asked for more than is needed] If there are two values, the page and the kiosk wait for `asked` before they show
 * "Done", while the verdict requires only `needed`, because it sees few pictures, none of which may show the movement at
 * its peak.
 */
export const actionLimits = {
  turnDegrees: 15,
  /** Position of the nose between the sides of the face; a photograph tilted by 45 degrees reaches 0.33. */
  turnOfNose: 0.38,
  upDegrees: 14,
  downDegrees: 16,
  /** Residual of the best homography that a turn or a nod must leave. */
  flatness: 0.085,
  /**
   * Share of its breadth that a head must keep in a turn. Living people keep at least 0.98. Of 9 photographs, tilted and
   * bent in 457 ways, 29 look turned and leave a residual, and one of these keeps its breadth.
   */
  breadth: 0.95,
  /** A nod while the head is turned further than this counts as part of the turn. */
  straightWithinDegrees: 12,
  /** Share of the expression. */
  happy: { needed: 0.6, asked: 0.7 },
  /** Growth of that share; only the verdict has a share at rest to compare with. */
  happyRise: 0.3,
  /** Growth of the smile's geometry, which is about 0.5 at rest. */
  smileRise: { needed: 0.04, asked: 0.1 },
  /** Probability that an eye is closed. */
  eyesClosed: { needed: 0.5, asked: 0.6 },
  /** Relative to the eyes' openness at rest: shut below the first, open again above the second. */
  eyesShut: 0.7,
  eyesOpen: 0.85,
  /** Growth of the face's width. */
  closer: { needed: 1.25, asked: 1.4 },
} as const

/** After the last action, this share of an action already counts as a movement, because the person was asked to look straight ahead. */
export const strayShare = 0.8

/** Below this share of an action the person counts as looking straight ahead again. */
export const backShare = 0.7
