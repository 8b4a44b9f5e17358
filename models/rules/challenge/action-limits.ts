/**
 * Thresholds for actions relative to the person's own face at rest, in degrees and shares. They were calibrated on footage of living people and of
 * tilted photographs, which move a plane's landmarks by less than half of each threshold.
 *
 * [Note: Asked for more than is needed] If there are two values, the page and the kiosk wait for `asked` before they show "Done", while the verdict
 * only requires `needed`, because it only sees a few pictures, and none of them may show the movement at its peak.
 */
export const actionLimits = {
  turnDegrees: 15,
  /** The nose's position between the sides of the face. A photograph tilted by 45 degrees reaches 0.33. */
  turnOfNose: 0.38,
  upDegrees: 14,
  downDegrees: 16,
  /** The minimum residual that a turn or a nod must leave after the best homography. */
  flatness: 0.085,
  /**
   * The share of its breadth that a head must keep in a turn. Living people keep at least 0.98. Nine photographs were tilted and bent in 457 ways:
   * 29 of these look turned and leave a residual, and one of the 29 keeps its breadth.
   */
  breadth: 0.95,
  /** If the head is turned further than this, a nod counts as part of the turn. */
  straightWithinDegrees: 12,
  /** The expression's share. */
  happy: { needed: 0.6, asked: 0.7 },
  /** How much that share must grow. Only the verdict has a share at rest to compare it with. */
  happyRise: 0.3,
  /** How much the smile's geometry must grow. It is about 0.5 at rest. */
  smileRise: { needed: 0.04, asked: 0.1 },
  /** The probability that an eye is closed. */
  eyesClosed: { needed: 0.5, asked: 0.6 },
  /** Relative to the eyes' openness at rest: they are shut below the first value and open again above the second. */
  eyesShut: 0.7,
  eyesOpen: 0.85,
  /** How much the face's width must grow. */
  closer: { needed: 1.25, asked: 1.4 },
} as const

/** After the last action, this share of an action already counts as a movement, because the person was asked to look straight ahead. */
export const strayShare = 0.8

/** Once an action falls below this share, the person counts as looking straight ahead again. */
export const backShare = 0.7
