import type { Picture } from '#models/picture/picture.ts'
import type { Analysis, DetectedFace, FaceAnalysis } from '#models/rules/analysis.ts'
import type { Stopwatch } from './stopwatch.ts'

/** Assembles the analysis of a picture; `detected` is false if a face was followed and the detector did not run. */
export function report(
  picture: Picture,
  faces: readonly FaceAnalysis[],
  others: readonly DetectedFace[],
  detected: boolean,
  watch: Stopwatch,
): Analysis {
  const { width, height } = picture
  return {
    width,
    height,
    luminance: picture.meanLuminance(),
    face: faces[0],
    faces,
    others,
    detected,
    durations: watch.durations,
  }
}
