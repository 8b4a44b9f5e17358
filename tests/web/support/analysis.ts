import type { Analysis, FaceAnalysis } from '#workers/api.ts'

interface Look {
  yaw?: number
  pitch?: number
  roll?: number
  /** As a fraction of the frame's short side. */
  size?: number
  /** The offset from the middle, as a fraction of the frame's short side. */
  x?: number
  y?: number
  sharpness?: number
  spread?: number
  clipped?: number
  backgroundRatio?: number
  presence?: number
  smile?: number
  eyesClosed?: number
  /** A second face's width relative to the first one. */
  second?: number
  luminance?: number
  detected?: boolean
  clarity?: number
  weakest?: FaceAnalysis['clarity']['weakest']
}

const width = 1280
const height = 720

/** An analysis with one well-placed face and the given changes. */
export function analysisOf(look: Look = {}): Analysis {
  const size = (look.size ?? 0.38) * height
  const box = {
    x: width / 2 + (look.x ?? 0) * height - size / 2,
    y: height / 2 + (look.y ?? 0) * height - size / 2,
    width: size,
    height: size,
  }
  const face: FaceAnalysis = {
    box,
    confidence: 0.9,
    landmarks: new Float32Array(),
    presence: look.presence ?? 1 - 1e-9,
    pose: { yaw: look.yaw ?? 0, pitch: look.pitch ?? 0, roll: look.roll ?? 0 },
    fit: { centre: { x: 0, y: 0, z: 0 }, scale: 1, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    turn: 0,
    quality: {
      sharpness: look.sharpness ?? 200,
      meanLuminance: 120,
      spread: look.spread ?? 120,
      clipped: look.clipped ?? 0,
      backgroundRatio: look.backgroundRatio ?? 1,
    },
    smile: look.smile ?? 0.5,
    clarity: { share: look.clarity ?? 1, weakest: look.weakest ?? 'sharpness' },
    eyeOpenness: 0.3,
    aligned: new Uint8Array(),
    ...(look.eyesClosed === undefined
      ? {}
      : { eyesClosed: { left: look.eyesClosed, right: look.eyesClosed } }),
  }
  const others =
    look.second === undefined ? [] : [{ box: { ...box, width: box.width * look.second }, confidence: 0.8 }]
  return {
    width,
    height,
    luminance: look.luminance ?? 110,
    face,
    faces: [face],
    others,
    detected: look.detected ?? true,
    durations: {},
  }
}

/** An analysis without a face. */
export function emptyAnalysis(luminance = 110): Analysis {
  return { width, height, luminance, face: undefined, faces: [], others: [], detected: true, durations: {} }
}
