/** [Note: At most 600 kB a session] Eight pictures of 40 kB leave 272 kB for the film; sealing and names take the rest. */
export const evidenceLimits = {
  bytes: 600_000,
  pictures: 8,
  pictureBytes: 40_000,
  longestSidePixels: 640,
  filmPerSecond: 3,
  filmLongestSidePixels: 128,
  filmPictureBytes: 4_096,
} as const

/** A decision can be undone for this long, so the evidence is kept until then. */
export const undoneWithinMilliseconds = 10_000
