import type { Surface } from './liveness/evidence/surface.ts'

/** The stages that a caller may want. Detection, landmarks, pose and quality always run; the rest only when wanted. */
export interface Wanted {
  /**
   * Presentation-attack network: one run on the raw crop where `light`; four where `full`, on the raw and on a slightly blurred crop and
   * their mirror images; two more on a nearer crop where `still`, for a picture that is judged alone.
   */
  readonly liveness?: 'light' | 'full' | 'still'
  readonly embedding?: boolean
  /** Age and gender: `light` by one network, as a device can; `full` by two, also mirrored, as the server answers. */
  readonly demographic?: 'light' | 'full'
  /** Seven expressions, from one crop where `light` and from several where `full`. */
  readonly expression?: 'light' | 'full'
  readonly eyes?: boolean
  /** What light and surroundings are compared by, of the dominant face: see `Surface`. */
  readonly surface?: boolean
  /** Colours and structure of the face and about it, from which its quality is read: see `Appearance`. */
  readonly appearance?: boolean
  /** Reduce the picture to what tells it from every other one: see scene-signature.ts. */
  readonly sceneSignature?: boolean
  /**
   * Look for every face, also small ones, instead of the one of a selfie; `otherwise`: only where that shows none.
   * It costs two more runs of a detector, and second looks at what they find; some twenty in the conservative pack.
   */
  readonly group?: boolean | 'otherwise'
  /** How many faces to look at, the dominant ones first; 1 where not given. A stream follows one. */
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

/** How the canonical face lies in the picture: `fitFace` tells it. */
export interface HeadFit {
  /** Pixels of the frame: the middle of the points that hold the pose. */
  readonly centre: { readonly x: number; readonly y: number; readonly z: number }
  /** Pixels of the frame for a unit of the canonical face, about a centimetre. */
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

/** What quality components need of the pixels beyond `Quality`; see appearance.ts. Each colour is a median. */
export interface Appearance {
  /** Forehead and the cheeks below the eyes: skin that a mask leaves free. */
  readonly upperSkin: LabColour
  /** Between nose and lips. */
  readonly upperLip: LabColour
  readonly chin: LabColour
  /** The red of both lips. */
  readonly lips: LabColour
  /** Mean length of the luminance gradient about the head, grey levels for 1/64 of three face widths; absent where the picture shows too little of it. */
  readonly backgroundGradient?: number
  /** Mean step at the edges of 8 x 8 blocks over the mean step elsewhere, 1 where there are no blocks; absent where the picture was made smaller. */
  readonly blockiness?: number
}

/** How well a face could be recognised by what the pixels allow, and the measure that allows the least: see frame-quality.ts. */
export interface Clarity {
  /** 0...1 */
  readonly share: number
  readonly weakest: 'sharpness' | 'spread' | 'clipped' | 'size' | 'turn'
}

/** What the liveness stage found; 0...1 each. */
export interface LiveProbabilities {
  readonly raw: number
  /** Noise of the wide crop, grey levels: see noise.ts. No probability. */
  readonly noise?: number
  readonly blurred?: number
  /** Absent as well where the picture holds no more than the nearer crop. */
  readonly near?: { readonly raw: number; readonly blurred: number }
  /** What a second network says of the wide crop; absent where the pack has none. */
  readonly second?: { readonly raw: number }
  /** Share of the surroundings that is much darker than the face, of a `still`: see screen.ts. No probability. */
  readonly darkSurround?: number
}

export interface AgeEstimate {
  /** Years. */
  readonly prediction: number
  /** Expected error over the one at which an estimate should be rejected: above 1.0 reject. */
  readonly uncertainty: number
  /** Years: how broad the answer is, or how far the answers of several crops lie apart. */
  readonly spread: number
}

export interface GenderEstimate {
  /** Mean answer of the networks, 0...1; a man above 0.5. */
  readonly male: number
  /** How often so decided an answer is right for a face of that age, 0.5...1. */
  readonly confidence: number
}

export interface FaceAnalysis extends DetectedFace {
  /** 468 points of x, y, z in pixels of the frame, flat; z grows away from the camera. */
  readonly landmarks: Float32Array
  /** 0...1: the mesh's own word that a face is there. */
  readonly presence: number
  readonly pose: Pose
  readonly fit: HeadFit
  /** Nose tip between the face's sides: 0 frontal, + towards the person's left; a plane hardly changes it. */
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
  /** Probability of a live face on the raw crop, on the blurred one where it ran, and on nearer crops where they ran. */
  readonly live?: LiveProbabilities
  /** Unit vector of the pack's embedding model: see embedder.ts. */
  readonly embedding?: Float32Array
  /** Unit vector of the pack's second model; absent where it has none. Never compared with the first. */
  readonly secondEmbedding?: Float32Array
  /** Unit vector of the former model, where the pack keeps one. Never compared with the others. */
  readonly formerEmbedding?: Float32Array
  /** Length of the network's vector before that; what it means depends on the network. Comes with the embedding. */
  readonly embeddingStrength?: number
  /** How well the face can be recognised here, 0...1: see frame-quality.ts. Comes with the embedding. */
  readonly frameQuality?: number
  /** How well the face can be recognised in this picture alone, 0...1: see frame-quality.ts. Comes with the embedding. */
  readonly unifiedQuality?: number
  /** Luminance of the aligned 112 x 112 face, for comparisons within a session; never stored. */
  readonly aligned: Uint8Array
  readonly age?: AgeEstimate
  readonly gender?: GenderEstimate
  /** Where wanted. */
  readonly surface?: Surface
  /** Where wanted. */
  readonly appearance?: Appearance
}

/** A part of an analysis whose network a stream does not wait for. Without `points` there is no `face`. */
export type MissingPart = 'points' | 'liveness' | 'expression'

export interface Analysis {
  readonly width: number
  readonly height: number
  /** Mean luminance of the whole frame, 0...255. */
  readonly luminance: number
  /** The dominant face, or undefined where none was found. */
  readonly face: FaceAnalysis | undefined
  /** The dominant faces, as many as were wanted and found; `face` is the first of them. */
  readonly faces: readonly FaceAnalysis[]
  /** Every other face that was detected, largest first. Empty when the frame was only tracked. */
  readonly others: readonly DetectedFace[]
  /** Whether the detector ran (false: the last frame's face was followed). */
  readonly detected: boolean
  /** The dominant face as the detector alone sees it, as long as `points` are missing. */
  readonly detectedFace?: DetectedFace
  /** Parts that were wanted and left out, because their networks are still loading; absent if nothing is missing. */
  readonly missing?: readonly MissingPart[]
  /** Where wanted: see scene-signature.ts. */
  readonly sceneSignature?: Float32Array
  /** Milliseconds per stage. */
  readonly durations: Readonly<Record<string, number>>
}

/** Guidance needs no more pixels on the longer side; the submitted pictures keep their own size. */
export const followedLongestSide = 640
