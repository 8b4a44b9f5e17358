import { eyeOpennessOf } from '#models/networks/eyes.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { toUnit } from '#models/rules/embedding.ts'
import { breadthOf } from '#models/rules/face/flatness.ts'
import { fitFace, poseOf, rigidPoints, turnOf } from '#models/rules/face/pose.ts'
import { smileOf } from '#models/rules/face/smile.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'
import { canonical, meshAt } from './canonical-mesh.ts'

/** The session clock in tests, in milliseconds since 1970. */
export const noon = Date.UTC(2026, 0, 2, 12)

/** A step 0 that took one second. */
export const opening: StepRecord = {
  step: 0,
  action: null,
  revealedAt: noon,
  answeredAt: noon + 1000,
  timeLimitInSeconds: 60,
  accepted: true,
  reason: null,
}

/** The next step, in which the person turned to the left. */
export const turning: StepRecord = {
  step: 1,
  action: 'turnLeft',
  revealedAt: noon + 1000,
  answeredAt: noon + 4000,
  timeLimitInSeconds: 10,
  accepted: true,
  reason: 'performed',
}

/** A made-up embedding for a person. Two different people's embeddings have a cosine of 0. */
export function personOf(number: number): readonly number[] {
  return Array.from({ length: 8 }, (_, i) => (i === number ? 1 : 0))
}

/** An embedding that has this cosine with the person's. */
export function resembling(person: readonly number[], cosine: number): readonly number[] {
  const orthogonal = person.map((_, i) => (i === person.length - 1 ? 1 : 0))
  return Array.from(
    toUnit(person.map((value, i) => value * cosine + orthogonal[i]! * Math.sqrt(1 - cosine ** 2))),
  )
}

export interface FaceOptions extends Partial<ObservedFace> {
  /** Degrees from looking straight into the camera, with signs from the person's own perspective. */
  readonly yaw?: number
  readonly pitch?: number
}

/** One person's live, sharp face, with a solid head's pose, turn and points. */
export function faceOf({ yaw = 0, pitch = 0, ...rest }: FaceOptions = {}): ObservedFace {
  const mesh = meshAt({ yaw, pitch })
  return {
    box: { x: 220, y: 120, width: 200, height: 240 },
    confidence: 0.95,
    presence: 0.99,
    pose: poseOf(mesh, canonical),
    turn: turnOf(mesh),
    quality: { sharpness: 40, meanLuminance: 120, spread: 90, clipped: 0, backgroundRatio: 1 },
    eyesClosed: { left: 0.02, right: 0.02 },
    smile: smileOf(mesh),
    eyeOpenness: eyeOpennessOf(mesh),
    live: { raw: 0.98, blurred: 0.95 },
    embedding: personOf(0),
    age: { prediction: 34, uncertainty: 0.6 },
    gender: { male: 0.9, confidence: 0.9 },
    expressions: { neutral: 0.95, happy: 0.05 },
    points: rigidPoints(mesh),
    breadth: breadthOf(mesh.points, fitFace(mesh, canonical)),
    ...rest,
  }
}

/** A frame from the server's own analysis. If `face` is null, it has no face. */
export function frameOf({
  face = {},
  ...rest
}: Partial<Omit<Observation, 'face'>> & { face?: FaceOptions | null } = {}): Observation {
  return {
    step: 0,
    time: 0,
    receivedAt: noon,
    width: 640,
    height: 480,
    luminance: 110,
    faceCount: face === null ? 0 : 1,
    rim: [],
    reused: 'none',
    digest: '',
    ...rest,
    face: face === null ? null : faceOf(face),
  }
}
