import type { Box, DetectedFace, FaceAnalysis } from '#models/rules/analysis.ts'
import { boundingBox } from './mesh.ts'

/** How a box is widened and heightened about its middle, and moved, as shares of its own width and height. */
interface Convention {
  readonly width: number
  readonly height: number
  /** + is down. */
  readonly shift: number
}

/**
 * [Note: What the box of a face holds] The face from the hairline to the chin and from side to side, upright as it
 * stands in the picture. The mesh ends below the hairline, and the detector's square at the brows, so both are grown.
 * People who draw boxes by hand agree with neither; this box overlaps with those of both sets that we have more than the
 * mesh, its square or the detector's own.
 */
const ofMesh: Convention = { width: 1.1, height: 1.2, shift: -0.02 }
const ofDetection: Convention = { width: 1.1, height: 1.3, shift: -0.05 }

/** The box that the interface answers, in pixels of the picture; may lie partly outside it. */
export function faceBox(face: DetectedFace | FaceAnalysis): Box {
  return 'landmarks' in face ? grown(boundingBox(face.landmarks), ofMesh) : grown(face.box, ofDetection)
}

function grown({ x, y, width, height }: Box, by: Convention): Box {
  return {
    x: x - (width * (by.width - 1)) / 2,
    y: y - (height * (by.height - 1)) / 2 + height * by.shift,
    width: width * by.width,
    height: height * by.height,
  }
}
