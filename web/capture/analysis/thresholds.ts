/**
 * [Note: Thresholds] All numbers for guidance and actions in one place. These are initial values, to be calibrated with
 * recordings. Sizes and offsets are fractions of the frame's short side, angles are degrees, and times are stream milliseconds.
 * Pairs are { appear, clear }: the value at which a hint is shown and the value at which it is removed.
 */
export const thresholds = {
  noFaceMilliseconds: 400, // plus the same time before the hint appears
  darkLuminance: 40,
  outside: { appear: 0.06, clear: 0.04 },
  /** Relative to the width of the oval. The networks would accept a wider range, but people trust the drawing. */
  tooSmall: { appear: 0.55, clear: 0.6 },
  tooLarge: { appear: 1.5, clear: 1.45 },
  offset: { appear: 0.24, clear: 0.2 },
  spread: { appear: 32, clear: 40 },
  backlight: { appear: 2.2, clear: 2.0 },
  clipped: { appear: 0.12, clear: 0.08 },
  /** Visibility of the face in the mesh, as log odds: see [Note: What covers a face]. */
  plainness: { appear: 8, clear: 10 },
  /** Yaw: a larger turn during the hold would look like an action on the way back. Pitch: cameras are mounted at different heights. */
  turned: { appear: 13, clear: 11 },
  nodded: { appear: 23, clear: 19 },
  tilted: { appear: 20, clear: 15 },
  sharpness: { appear: 7, clear: 9 },

  hint: {
    appearMilliseconds: 400,
    appearAnalyses: 2,
    stayMilliseconds: 1200,
    cutMilliseconds: 600,
    clearMilliseconds: 300,
  },
  speech: { stableMilliseconds: 1000, gapMilliseconds: 4000, times: 3 },

  fitMilliseconds: 600,
  holdMilliseconds: 1200,
  /** A picture is sent early from each of these fractions of the hold: the best one so far, or any after waiting for `patience` more. */
  early: { from: [0.3, 0.65], patience: 0.15 },
  /** A turn sends a second straight picture this long after the first one, if the person is still reading. */
  readingMilliseconds: 400,

  /** Watching an action; its required strength is in `actionLimits`. */
  action: { turnFarEnough: 50, analyses: 2, leastMilliseconds: 800, blinkMilliseconds: 150 },
  /**
   * A turn to the wrong side is noticed from this share of a turn on. The head must leave that side and reach the other one within these times of
   * that, otherwise the turn counts.
   */
  wrongTurn: { share: 0.7, leftShare: 0.5, turnedMilliseconds: 2500, correctedMilliseconds: 5000 },
  /** If at most this share of an action is visible after this time, a hint says what the camera sees. */
  unmoved: { afterMilliseconds: 4000, share: 0.4 },
  /** How long a size must be held, and how far beyond its tolerance the face may drift once it was reached. */
  size: { heldMilliseconds: 400, leaveShare: 1.4 },
  /**
   * Return from an action: within this share of it for a time, or nearly straight for longer, and "Done" shown for a minimum time before the
   * next one. The return takes at most `most` and leaves `spare` of the step's time.
   */
  comingBack: {
    straightShare: 0.5,
    straightMilliseconds: 400,
    nearlyMilliseconds: 1200,
    readMilliseconds: 700,
    mostMilliseconds: 6000,
    spareMilliseconds: 500,
  },
  /** For this long, what remains of the last action is tolerated instead of counted as a new movement. */
  comeBackMilliseconds: 2000,
  /** A natural blink is shorter than this, so eyes that stay closed for this long were closed deliberately. */
  deliberateBlinkMilliseconds: 400,
  /** A fleeting smile is not an action. It must be this strong to count as another movement. */
  plainSmileShare: 1.5,

  /** Minimum sharpness of a face. The server ignores frames below roughly this value. */
  leastClarity: 0.3,
  /** How often the last pictures are retaken before they are sent regardless of faults. */
  retakes: 2,

  /** A tip is shown if at least this fraction of a try's straight looks had the same fault. */
  tipShare: 0.2,

  /** A head that comes back passes the range that counts as straight while it still moves, so it must be closer or stay there. */
  closing: { straightShare: 0.3, settledMilliseconds: 300, limitMilliseconds: 10_000 },

  /** Pictures without selection are taken for this long, and until enough of them show a second face. */
  snapshotMilliseconds: 800,
  snapshotLimitMilliseconds: 5000,

  encodeGapMilliseconds: 150,
  longestSidePixels: 1280,
  jpegQuality: 0.9,
  /** 24 frames of this size and 240 film pictures, mostly of 2 kB each, stay below 2.5 MB. */
  frameBytes: 76_000,
  /**
   * With frames of this size, a visit with one turn sends 350 kB. Pictures of small cameras stay below it and keep the quality above, without which a
   * replay on a screen is harder to tell.
   */
  wantedFrameBytes: 38_000,

  /**
   * The film. Camera pictures do not come at exact times, so one may be early by this much. The film covers this time before and after the frames. If
   * an analysis takes longer than this, the clock takes a picture: 2.5 per second are required, and on slow devices the clock is late too. A picture
   * later than that rate means that the film is behind.
   */
  film: {
    earlyMilliseconds: 16,
    /** Each frame is also filmed, unless the film has a picture that is closer than this. */
    frameApartMilliseconds: 50,
    rimMilliseconds: 500,
    lateMilliseconds: 240,
    behindMilliseconds: 400,
    jpegQuality: 0.8,
  },

  /** The most stream time that a gap between two analyses can count for, so that clocks stop while the analysis lags. */
  countedGapMilliseconds: 400,
  /** Levels for slow devices, in milliseconds per picture; see pace/pace.ts. */
  slow: {
    first: { above: 120, below: 90 },
    second: { above: 250, below: 180 },
    intervalMilliseconds: 250,
  },
  moveSlowlyMilliseconds: 400,
  tooSlowMilliseconds: 1500,

  camera: {
    /** How long a camera may be black, muted or frozen after it was opened. */
    warmMilliseconds: 5000,
    /** How long a camera may take to reach its full size. */
    growingMilliseconds: 3000,
    /** After this many quarter-seconds without a camera frame, the page sends bitmaps to the worker instead. */
    framelessLooks: 8,
    lostMilliseconds: 2000,
    blackMilliseconds: 1000,
    blackLuminance: 3,
    /** No real camera shows an identical picture for this long and this many times. */
    stillMilliseconds: 4000,
    stillPictures: 8,
    /** In pixels on the shorter side. Below this, even a face that fills the oval is too small for the server. */
    leastPixels: 190,
  },
} as const
