import type { Analysis, AnalysisStages, FaceAnalysis, Pose, Surface } from '#models/rules/analysis.ts'
import { fitFace, turnOf } from '#models/rules/face/pose.ts'
import { surfaceExtent } from '#models/rules/liveness/evidence/surface.ts'
import { canonical, meshAt } from './drawn/canonical-mesh.ts'
import { embeddingOf } from './drawn/fake-analysis.ts'
import type { Scene } from './drawn/fake-picture.ts'

const size = { width: 640, height: 480 }
const box = { x: 100.4, y: 80.6, width: 200.2, height: 240 }

/** The box that is returned for a scene's straight face, which goes around its mesh; see face-box.ts. */
export const answeredBox = { x: 218, y: 115, width: 204, height: 255 }

/** The head's pose in a picture of each action, which goes further than the rules require. */
const acting: Readonly<Record<string, Partial<Pose>>> = {
  turnLeft: { yaw: 30 },
  turnRight: { yaw: -30 },
  lookUp: { pitch: 25 },
}

/** The result of a complete analysis of a scene: its person, and others with the same face next to them. */
export function seenIn(scene: Scene, { faces: wanted = 1 }: AnalysisStages): Analysis {
  const { person, others = 0 } = scene
  const found = person === null ? [] : Array.from({ length: 1 + others }, (_, i) => faceOf(scene, person, i))
  const faces = found.slice(0, wanted)
  return {
    ...size,
    luminance: 120,
    face: faces[0],
    faces,
    others: found.slice(wanted).map(({ confidence }) => ({ box, confidence })),
    detected: true,
    durations: {},
  }
}

function grown(by: number): typeof box {
  const [width, height] = [box.width * by, box.height * by]
  return { x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height }
}

function faceOf(scene: Scene, person: string, index: number): FaceAnalysis {
  const { age = 33.7, live = 0.9, happy = 0.9, acted = '' } = scene
  const pose = { yaw: scene.yaw ?? 0, pitch: 0, roll: 0, ...acting[acted] }
  const mesh = meshAt(pose)
  const share = (1 - happy) / 6
  return {
    box: grown(scene.size ?? 1),
    confidence: 0.93 - index / 100,
    landmarks: mesh.points,
    presence: 0.99,
    pose,
    fit: fitFace(mesh, canonical),
    turn: turnOf(mesh),
    quality: {
      sharpness: scene.sharpness ?? 200,
      meanLuminance: 120,
      spread: 120,
      clipped: 0,
      backgroundRatio: 1,
    },
    smile: 0.5,
    clarity: { share: 1, weakest: 'sharpness' },
    ...(scene.frameQuality !== undefined && { frameQuality: scene.frameQuality }),
    eyeOpenness: 0.3,
    aligned: new Uint8Array(),
    ...(scene.surface !== undefined && { surface: surfaceOf(scene.surface, pose.yaw + pose.pitch) }),
    embedding: Float32Array.from(embeddingOf(person)),
    age: { prediction: age, uncertainty: 0.6, spread: 2 },
    gender: { male: 0.2, confidence: 0.8 },
    live: { raw: live, blurred: live },
    eyesClosed: { left: 0.1, right: 0.1 },
    expressions: {
      neutral: share,
      happy,
      sad: share,
      angry: share,
      fearful: share,
      disgusted: share,
      surprised: share,
    },
  }
}

/** The number of places on the skin. */
const places = 330

/** The surface that the cues compare, for a face that is turned by these degrees. */
function surfaceOf(kind: NonNullable<Scene['surface']>, degrees: number): Surface {
  const isBlank = kind === 'blank'
  const turned = kind === 'living' ? degrees : 0
  const grey = Uint8Array.from({ length: surfaceExtent ** 2 }, (_, i) => {
    const [row, column] = [Math.floor(i / surfaceExtent), i % surfaceExtent]
    return isBlank
      ? 128
      : 128 + 90 * Math.sin((row * (3 + turned / 4)) / 9 + (column * (5 - turned / 7)) / 11)
  })
  const skin = Float32Array.from({ length: places }, (_, i) =>
    isBlank ? Number.NaN : Math.log(120) + (turned / 400) * Math.sin(i),
  )
  return { grey, skin, left: 0, top: 0, step: 5, ...size }
}
