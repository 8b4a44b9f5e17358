/**
 * [Note: Thresholds] Every number that guidance and actions depend on, in one place; starting values, to be calibrated on
 * footage. Sizes and offsets are shares of the frame's short side, angles degrees, times milliseconds of the stream.
 * Pairs are { appear, clear }: what raises a hint and what takes it back.
 */
export const thresholds = {
  noFaceMilliseconds: 400, // and as long again before the hint appears
  darkLuminance: 40,
  outside: { appear: 0.06, clear: 0.04 },
  /** In widths of the oval. Networks would take less and more; people believe what they see. */
  tooSmall: { appear: 0.55, clear: 0.6 },
  tooLarge: { appear: 1.5, clear: 1.45 },
  offset: { appear: 0.24, clear: 0.2 },
  spread: { appear: 32, clear: 40 },
  backlight: { appear: 2.2, clear: 2.0 },
  clipped: { appear: 0.12, clear: 0.08 },
  /** Of how plainly the mesh sees a face, as log odds: see [Note: What covers a face]. */
  plainness: { appear: 8, clear: 10 },
  /** Of yaw: who is turned further during the hold would seem to turn on coming back. Of pitch: cameras stand high and low. */
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
  /** Shares of the hold after which a picture is handed in. */
  early: [0.3, 0.65],

  /** How an action is watched; how large it must be says `actionLimits`. */
  action: { turnFarEnough: 50, analyses: 2, leastMilliseconds: 800, blinkMilliseconds: 150 },
  /** An action of which no more than this share shows after so long is told what the camera sees. */
  unmoved: { afterMilliseconds: 4000, share: 0.4 },
  /** A size is held for so long; once reached it may be left by so many times of what reaches it. */
  size: { heldMilliseconds: 400, leaveShare: 1.4 },
  /**
   * After an action: within this share of one for so long, or next to straight for longer, and "Done" to be read for so long, before the
   * next one is shown; the way back takes no longer than `most`, and leaves `spare` of the step's time.
   */
  comingBack: {
    straightShare: 0.5,
    straightMilliseconds: 400,
    nearlyMilliseconds: 1200,
    readMilliseconds: 700,
    mostMilliseconds: 6000,
    spareMilliseconds: 500,
  },
  /** What is left of the last action may linger this long before it counts as a movement of its own. */
  comeBackMilliseconds: 2000,
  /** A natural blink is short; eyes shut this long were shut on purpose. */
  deliberateBlinkMilliseconds: 400,
  /** A smile in passing is not an action: it must be plain before it counts as another one. */
  plainSmileShare: 1.5,

  /** Of a face's clarity: about the sharpness below which the server leaves a frame out. */
  leastClarity: 0.3,
  /** How often the last pictures are taken again before they are sent as they are. */
  retakes: 2,

  /** Of the straight looks of a try: what spoiled fewer is no tip for the next one. */
  tipShare: 0.2,

  closingLimitMilliseconds: 10_000,

  /** Pictures that are sent all the same: for so long, and until enough of them show a second face. */
  snapshotMilliseconds: 800,
  snapshotLimitMilliseconds: 5000,

  encodeGapMilliseconds: 150,
  longestSidePixels: 1280,
  jpegQuality: 0.9,
  /** 24 frames of it and 240 pictures of the film, most of which take 3 kB, stay below 2.5 MB. */
  frameBytes: 76_000,

  /**
   * The thin film. A camera's pictures come when they come: one may be early by this much. It begins and ends so far from the frames. One that
   * waits for an analysis for so long is taken by the clock: 2.5 a second are asked for, and a slow device's clock is late as well. One that came
   * later than that rate has put the film behind.
   */
  film: {
    earlyMilliseconds: 16,
    rimMilliseconds: 500,
    lateMilliseconds: 240,
    behindMilliseconds: 400,
    jpegQuality: 0.8,
  },

  /** Milliseconds of the stream that one gap between two analyses may count at most: clocks stop while analysis lags. */
  countedGapMilliseconds: 400,
  /** Steps of a slow device, in milliseconds a picture; see pace/pace.ts. */
  slow: {
    first: { above: 120, below: 90 },
    second: { above: 250, below: 180 },
    intervalMilliseconds: 250,
  },
  moveSlowlyMilliseconds: 400,
  tooSlowMilliseconds: 1500,

  camera: {
    firstFrameMilliseconds: 5000,
    /** Looks of a quarter of a second each, after which a worker that got no frame of the camera is given bitmaps. */
    framelessLooks: 8,
    lostMilliseconds: 2000,
    blackMilliseconds: 1000,
    blackLuminance: 3,
  },
} as const
