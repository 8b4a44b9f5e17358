import type { Box, DetectedFace, FaceAnalysis } from '#models/rules/analysis.ts'
import { boundingBox } from './mesh.ts'

/** The factors for widening and heightening a box about its centre, and its shift, as shares of the box's width and height. */
interface Convention {
  readonly width: number
  readonly height: number
  /** Positive values shift down. */
  readonly shift: number
}

/**
 * [Note: What the box of a face holds] The face from hairline to chin and from side to side, upright as in the picture.
 * The mesh ends below the hairline and the detector's square at the brows, so both are enlarged. Hand-drawn boxes agree
 * with neither, and this box overlaps those of both of our data sets more than the mesh, its square or the detector's own
 * does.
 */
const ofMesh: Convention = { width: 1.1, height: 1.2, shift: -0.02 }
const ofDetection: Convention = { width: 1.1, height: 1.3, shift: -0.05 }

/** The box that the API returns, in picture pixels. May be partly outside the picture. */
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
