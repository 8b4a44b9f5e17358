import { breadthOf } from '#models/rules/face/flatness.ts'
import { rigidPoints } from '#models/rules/face/pose.ts'
import { rimOf } from '#models/rules/liveness/scene-signature.ts'
import type { Analysis, FaceAnalysis } from './analysis.ts'
import { countFaces } from './face/face-count.ts'
import type { FrameMeta, Observation, ObservedFace } from './observation.ts'

/** Extracts the part of an analysis that the verdict may read, which does not include the picture. */
export function observe(analysis: Analysis, meta: FrameMeta): Observation {
  const { width, height, luminance, face, sceneSignature: signature } = analysis
  const rim = signature === undefined ? [] : rimOf(signature)
  return {
    ...meta,
    width,
    height,
    luminance,
    faceCount: countFaces(analysis),
    rim,
    face: face ? observeFace(face) : null,
  }
}

function observeFace(face: FaceAnalysis): ObservedFace {
  const { box, confidence, presence, pose, turn, quality, smile, eyeOpenness } = face
  return {
    box,
    confidence,
    presence,
    pose,
    turn,
    quality,
    smile,
    eyeOpenness,
    eyesClosed: face.eyesClosed ?? null,
    live: face.live ?? null,
    embedding: Array.from(face.embedding ?? []),
    ...(face.secondEmbedding && { secondEmbedding: Array.from(face.secondEmbedding) }),
    ...(face.formerEmbedding && { formerEmbedding: Array.from(face.formerEmbedding) }),
    ...(face.frameQuality === undefined ? {} : { frameQuality: face.frameQuality }),
    age: face.age ?? null,
    gender: face.gender ?? null,
    expressions: face.expressions ?? null,
    points: rigidPoints({ points: face.landmarks, presence }),
    breadth: breadthOf(face.landmarks, face.fit),
  }
}
