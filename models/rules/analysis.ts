import type { Surface } from './liveness/evidence/surface.ts'

/** The optional stages of an analysis. Detection, landmarks, pose and quality always run. */
export interface Wanted {
  /**
   * Presentation attack detection. `light`: one run on the raw crop. `full`: four, on the raw and a slightly blurred crop
   * and their mirror images. `still`, for a picture that is judged alone: two more on a nearer crop.
   */
  readonly liveness?: 'light' | 'full' | 'still'
  readonly embedding?: boolean
  /** Age and gender. `light`: one network, as on a device. `full`: two networks and mirrored crops, as on the server. */
  readonly demographic?: 'light' | 'full'
  /** Seven expressions, from one crop for `light` and several for `full`. */
  readonly expression?: 'light' | 'full'
  readonly eyes?: boolean
  /** Data of the dominant face for comparing light and surroundings: see `Surface`. */
  readonly surface?: boolean
  /** Colours and structure of the face and its surroundings, from which its quality is derived: see `Appearance`. */
  readonly appearance?: boolean
  /** Compute the signature that recognises the picture: see scene-signature.ts. */
  readonly sceneSignature?: boolean
  /**
   * Search for every face, including small ones, instead of the one of a selfie; `otherwise`: only if there is none.
   * Costs two more runs of a detector, and second looks at its detections; some twenty in the conservative pack.
   */
  readonly group?: boolean | 'otherwise'
  /** Number of dominant faces to analyse; 1 by default. A stream follows one. */
  readonly faces?: number
}

export interface Box {
  /** Pixels of the frame; may lie partly outside it. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface DetectedFace {
  readonly box: Box
  /** 0...1, higher is better. */
  readonly confidence: number
}

/** Degrees. Signs are the person's own: yaw + = to their left, pitch + = up, roll + = head tilted to their left. */
export interface Pose {
  readonly yaw: number
  readonly pitch: number
  readonly roll: number
}

export const expressionNames = [
  'neutral',
  'happy',
  'sad',
  'angry',
  'fearful',
  'disgusted',
  'surprised',
] as const
export type Expressions = Readonly<Record<(typeof expressionNames)[number], number>>

/** Position of the canonical face in the picture, from `fitFace`. */
export interface HeadFit {
  /** Pixels of the frame: the mean of the points that define the pose. */
  readonly centre: { readonly x: number; readonly y: number; readonly z: number }
  /** Pixels of the frame per unit of the canonical face, about a centimetre. */
  readonly scale: number
  /** Row-major 3 x 3, from the canonical face to the picture, in axes x right, y up, z to the camera. */
  readonly rotation: readonly number[]
}

/** Measured on the pixels of the face; see quality.ts for the definitions. Luminance is 0...255. */
export interface Quality {
  /** Variance of the Laplacian of the aligned 112-pixel face. */
  readonly sharpness: number
  readonly meanLuminance: number
  /** 5th to 95th percentile of the face's luminance. */
  readonly spread: number
  /** Share of face pixels at or above 250. */
  readonly clipped: number
  /** Mean luminance around the face divided by that of the face. */
  readonly backgroundRatio: number
}

/** A colour of CIE 1976 L*a*b* under D65: lightness 0...100, green to red, blue to yellow. */
export interface LabColour {
  readonly lightness: number
  readonly a: number
  readonly b: number
}

/** Measures of the pixels, besides `Quality`, that quality components need; see appearance.ts. Each colour is a median. */
export interface Appearance {
  /** Forehead and the cheeks below the eyes: skin that a mask leaves free. */
  readonly upperSkin: LabColour
  /** Between nose and lips. */
  readonly upperLip: LabColour
  readonly chin: LabColour
  /** The red of both lips. */
  readonly lips: LabColour
  /**
   * Mean length of the luminance gradient around the head, in grey levels per 1/64 of three face widths; absent if too
   * little of it is visible.
   */
  readonly backgroundGradient?: number
  /** Mean step at the edges of 8 x 8 blocks relative to the mean step elsewhere, 1 without blocks; absent if the picture was downscaled. */
  readonly blockiness?: number
}

/** How well a face could be recognised judging by the pixels, and the measure that limits it: see frame-quality.ts. */
export interface Clarity {
  /** 0...1 */
  readonly share: number
  readonly weakest: 'sharpness' | 'spread' | 'clipped' | 'size' | 'turn'
}

/** The result of the liveness stage; 0...1 each. */
export interface LiveProbabilities {
  readonly raw: number
  /** Noise of the wide crop, in grey levels: see noise.ts. Not a probability. */
  readonly noise?: number
  readonly blurred?: number
  /** Also absent if the picture contains no more than the nearer crop. */
  readonly near?: { readonly raw: number; readonly blurred: number }
  /** The result of a second network for the wide crop; absent if the pack has none. */
  readonly second?: { readonly raw: number }
  /** For a `still`: share of the surroundings that is much darker than the face; see screen.ts. Not a probability. */
  readonly darkSurround?: number
}

export interface AgeEstimate {
  /** Years. */
  readonly prediction: number
  /** Expected error relative to the limit at which an estimate should be rejected: above 1.0 reject. */
  readonly uncertainty: number
  /** Years: breadth of the distribution, or disagreement between the answers of several crops. */
  readonly spread: number
}

export interface GenderEstimate {
  /** Mean answer of the networks, 0...1; male above 0.5. */
  readonly male: number
  /** Measured probability that an answer of this certainty is correct for a face of that age, 0.5...1. */
  readonly confidence: number
}

export interface FaceAnalysis extends DetectedFace {
  /** 468 points of x, y, z in pixels of the frame, flat; z increases away from the camera. */
  readonly landmarks: Float32Array
  /** 0...1: the mesh's confidence that there is a face. */
  readonly presence: number
  readonly pose: Pose
  readonly fit: HeadFit
  /** Nose tip between the sides of the face: 0 frontal, + towards the person's left. Turning a flat picture hardly changes it. */
  readonly turn: number
  readonly quality: Quality
  readonly clarity: Clarity
  /** Probability that each eye is closed; the person's own left and right. */
  readonly eyesClosed?: { readonly left: number; readonly right: number }
  /** How far the mouth is drawn into a smile, from geometry; about 0.5 at rest. */
  readonly smile: number
  /** Height over width of the eyes; about 0.2 to 0.4 when open. */
  readonly eyeOpenness: number
  readonly expressions?: Expressions
  /** Probability of a live face on the raw crop, and on the blurred and nearer crops if they were analysed. */
  readonly live?: LiveProbabilities
  /** Unit vector of the pack's embedding model: see embedder.ts. */
  readonly embedding?: Float32Array
  /** Unit vector of the pack's second model; absent if it has none. Never compared with the first. */
  readonly secondEmbedding?: Float32Array
  /** Unit vector of the former model, if the pack keeps one. Never compared with the others. */
  readonly formerEmbedding?: Float32Array
  /** Length of the network's vector before normalisation, on a scale that depends on the network. Present with the embedding. */
  readonly embeddingStrength?: number
  /** How well the face can be recognised here, 0...1: see frame-quality.ts. Present with the embedding. */
  readonly frameQuality?: number
  /** How well the face can be recognised in this picture alone, 0...1: see frame-quality.ts. Present with the embedding. */
  readonly unifiedQuality?: number
  /** Luminance of the aligned 112 x 112 face, for comparisons within a session; never stored. */
  readonly aligned: Uint8Array
  readonly age?: AgeEstimate
  readonly gender?: GenderEstimate
  /** Present if wanted. */
  readonly surface?: Surface
  /** Present if wanted. */
  readonly appearance?: Appearance
}

/** A part of an analysis whose network a stream does not wait for. Without `points` there is no `face`. */
export type MissingPart = 'points' | 'liveness' | 'expression'

export interface Analysis {
  readonly width: number
  readonly height: number
  /** Mean luminance of the whole frame, 0...255. */
  readonly luminance: number
  /** The dominant face, or undefined if there is none. */
  readonly face: FaceAnalysis | undefined
  /** The dominant faces, up to the requested number; `face` is the first of them. */
  readonly faces: readonly FaceAnalysis[]
  /** Every other detected face, largest first. Empty if the frame was only tracked. */
  readonly others: readonly DetectedFace[]
  /** True if the detector ran, false if the previous frame's face was followed. */
  readonly detected: boolean
  /** The dominant face as the detector alone sees it, while `points` are missing. */
  readonly detectedFace?: DetectedFace
  /** Requested parts that were omitted because their networks are still loading; absent if nothing is missing. */
  readonly missing?: readonly MissingPart[]
  /** Present if wanted: see scene-signature.ts. */
  readonly sceneSignature?: Float32Array
  /** Milliseconds per stage. */
  readonly durations: Readonly<Record<string, number>>
}

/** Guidance needs no more pixels on the longer side; submitted pictures keep their original size. */
export const followedLongestSide = 640
