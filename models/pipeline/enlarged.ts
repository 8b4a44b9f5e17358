import type { Analysis, Appearance, Box, FaceAnalysis } from '#models/rules/analysis.ts'

/** Converts the analysis of a copy to pixels of the picture. `whole` is the size of the picture if the copy was rounded up. */
export function enlarged(
  analysis: Analysis,
  times: number,
  whole = { width: analysis.width * times, height: analysis.height * times },
): Analysis {
  const faces = analysis.faces.map((face) => enlargedFace(face, times))
  return {
    ...analysis,
    ...whole,
    face: faces[0],
    faces,
    others: analysis.others.map((other) => ({ ...other, box: enlargedBox(other.box, times) })),
  }
}

function enlargedFace(face: FaceAnalysis, times: number): FaceAnalysis {
  const { centre, scale, rotation } = face.fit
  return {
    ...face,
    ...(face.appearance && { appearance: withoutBlocks(face.appearance) }),
    box: enlargedBox(face.box, times),
    landmarks: face.landmarks.map((value) => value * times),
    fit: {
      centre: { x: centre.x * times, y: centre.y * times, z: centre.z * times },
      scale: scale * times,
      rotation,
    },
  }
}

/** A copy at another size no longer has the JPEG blocks of its picture. */
function withoutBlocks({ blockiness: _, ...appearance }: Appearance): Appearance {
  return appearance
}

function enlargedBox({ x, y, width, height }: Box, times: number): Box {
  return { x: x * times, y: y * times, width: width * times, height: height * times }
}
