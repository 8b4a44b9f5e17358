/**
 * What counts as an action, measured from the person's own face at rest. Degrees and shares; calibrated on footage of
 * living people and of tilted photographs, which move a plane's landmarks by less than half of it.
 *
 * [Note: Asked for more than is needed] Where two values stand, the page and the kiosk ask for `asked` before they say
 * "Done", and the verdict needs `needed`: it looks at a few pictures, of which none may show the movement at its height.
 */
export const actionLimits = {
  turnDegrees: 15,
  /** Of the nose between the sides of the face; a photograph tilted by 45 degrees reaches 0.33. */
  turnOfNose: 0.38,
  upDegrees: 14,
  downDegrees: 16,
  /** What a homography must leave unexplained in a turn or a nod. */
  flatness: 0.085,
  /**
   * How much of its breadth a head must keep in a turn. Measured: living people keep at least 0.98 of it; of 9
   * photographs, tilted and bent in 457 ways, 29 look turned and leave something unexplained, and one of these keeps it.
   */
  breadth: 0.95,
  /** A nod while the head is turned further than this is part of the turn. */
  straightWithinDegrees: 12,
  /** Share of the expression. */
  happy: { needed: 0.6, asked: 0.7 },
  /** Growth of that share; only the verdict has a share at rest to compare with. */
  happyRise: 0.3,
  /** Growth of the smile's geometry, which is about 0.5 at rest. */
  smileRise: { needed: 0.04, asked: 0.1 },
  /** Probability that an eye is closed. */
  eyesClosed: { needed: 0.5, asked: 0.6 },
  /** Of the eyes' openness at rest: shut below the one, open again above the other. */
  eyesShut: 0.7,
  eyesOpen: 0.85,
  /** Growth of the face's width. */
  closer: { needed: 1.25, asked: 1.4 },
} as const

/** After the last action, this share of an action is already a movement: the person was asked to look straight ahead. */
export const strayShare = 0.8

/** Below this share of an action the person counts as looking straight ahead again. */
export const backShare = 0.7
