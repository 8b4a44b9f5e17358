/** An analysis's optional stages. Detection, landmarks, pose and quality always run. */
export interface AnalysisStages {
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
  /** Collect the dominant face's data for comparing its lighting and surroundings. See `Surface`. */
  readonly surface?: boolean
  /** Measure the colours and structure of the face and its surroundings, which its quality is derived from. See `Appearance`. */
  readonly appearance?: boolean
  /** Compute the signature used to recognise this picture. See scene-signature.ts. */
  readonly sceneSignature?: boolean
  /**
   * Search for every face, including small ones, instead of a single selfie face. With `otherwise`, only do so if no face is found.
   * Costs two more detector runs plus second looks at the detections, about twenty in the conservative pack.
   */
  readonly group?: boolean | 'otherwise'
  /** The number of dominant faces to analyse. Defaults to 1. A stream tracks only one. */
  readonly faces?: number
}

export interface Box {
  /** In frame pixels. May be partly outside the frame. */
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

/** The canonical face's position in the picture, as returned by `fitFace`. */
export interface HeadFit {
  /** The mean of the points that define the pose, in frame pixels. */
  readonly centre: { readonly x: number; readonly y: number; readonly z: number }
  /** Frame pixels per unit of the canonical face (about a centimetre). */
  readonly scale: number
  /** A row-major 3 x 3 matrix from the canonical face to the picture, with x pointing right, y up and z towards the camera. */
  readonly rotation: readonly number[]
}

/** Measures of the face's pixels. See quality.ts for their definitions. Luminance is 0...255. */
export interface Quality {
  /** The variance of the Laplacian on the aligned 112-pixel face. */
  readonly sharpness: number
  readonly meanLuminance: number
  /** The 5th to the 95th percentile of the face's luminance. */
  readonly spread: number
  /** The share of face pixels at or above 250. */
  readonly clipped: number
  /** The mean luminance around the face divided by the face's own mean luminance. */
  readonly backgroundRatio: number
}

/** A CIE 1976 L*a*b* colour under D65: lightness 0...100, green to red, blue to yellow. */
export interface LabColour {
  readonly lightness: number
  readonly a: number
  readonly b: number
}

/** The pixel measures, besides `Quality`, that the quality components need. See appearance.ts. Each colour is a median. */
export interface Appearance {
  /** The forehead and the cheeks below the eyes, which a mask does not cover. */
  readonly upperSkin: LabColour
  /** Between the nose and the lips. */
  readonly upperLip: LabColour
  readonly chin: LabColour
  /** The red of both lips. */
  readonly lips: LabColour
  /**
   * The mean length of the luminance gradient around the head, in grey levels per 1/64 of three face widths. Absent if too little of the
   * surroundings is visible.
   */
  readonly backgroundGradient?: number
  /** The mean step at the edges of 8 x 8 blocks relative to other steps; 1 if there are no blocks. Absent if the picture was downscaled. */
  readonly blockiness?: number
}

/**
 * A face and its surroundings as the cues see them, about 46 cm per side. Only exists while the request that compares its pictures is being
 * handled, and is never stored.
 */
export interface Surface {
  /** Luminance 0...255, 128 x 128 pixels, row by row. */
  readonly grey: Uint8Array
  /** In frame pixels: the position of the first pixel, and the distance to the next one. */
  readonly left: number
  readonly top: number
  readonly step: number
  /** In frame pixels. */
  readonly width: number
  readonly height: number
  /**
   * The logarithm of the luminance at about 330 evenly spaced points on the skin, excluding eyes, brows and lips. NaN where the skin faces away
   * from the camera.
   */
  readonly skin: Float32Array
}

/** How well a face could be recognised based on its pixels alone, and the measure that limits it. See frame-quality.ts. */
export interface Clarity {
  /** 0...1 */
  readonly share: number
  readonly weakest: 'sharpness' | 'spread' | 'clipped' | 'size' | 'turn'
}

/** The liveness stage's result. Each value is 0...1. */
export interface LiveProbabilities {
  readonly raw: number
  /** The wide crop's noise, in grey levels, not a probability. See noise.ts. */
  readonly noise?: number
  readonly blurred?: number
  /** Also absent if the picture shows no more than the nearer crop would. */
  readonly near?: { readonly raw: number; readonly blurred: number }
  /** A second network's result for the wide crop. Absent if the pack has only one network. */
  readonly second?: { readonly raw: number }
  /** Only for a `still`: the share of the surroundings that is much darker than the face, not a probability. See screen.ts. */
  readonly darkSurround?: number
}

export interface AgeEstimate {
  /** In years. */
  readonly prediction: number
  /** The expected error relative to the rejection limit. Above 1.0, the estimate should be rejected. */
  readonly uncertainty: number
  /** In years: how broad the distribution is, or how much the answers from several crops disagree. */
  readonly spread: number
}

export interface GenderEstimate {
  /** The networks' mean answer, 0...1. Above 0.5 means male. */
  readonly male: number
  /** The measured probability that an answer this certain is correct for a face of this age, 0.5...1. */
  readonly confidence: number
}

export interface FaceAnalysis extends DetectedFace {
  /** 468 points as flat x, y, z, in frame pixels. z increases away from the camera. */
  readonly landmarks: Float32Array
  /** The mesh's confidence that there is a face, 0...1. */
  readonly presence: number
  readonly pose: Pose
  readonly fit: HeadFit
  /** The nose tip between the sides of the face: 0 is frontal, + is towards the person's left. Turning a flat picture hardly changes it. */
  readonly turn: number
  readonly quality: Quality
  readonly clarity: Clarity
  /** The probability that each eye is closed. Left and right are from the person's point of view. */
  readonly eyesClosed?: { readonly left: number; readonly right: number }
  /** How far the mouth is drawn into a smile, based on geometry. About 0.5 at rest. */
  readonly smile: number
  /** The eyes' height over their width, about 0.2 to 0.4 when open. */
  readonly eyeOpenness: number
  readonly expressions?: Expressions
  /** The probability of a live face on the raw crop, and on the blurred and nearer crops if they were analysed. */
  readonly live?: LiveProbabilities
  /** A unit vector from the pack's embedding model. See embedder.ts. */
  readonly embedding?: Float32Array
  /** A unit vector from the pack's second model, never compared with the first. Absent if the pack has no second model. */
  readonly secondEmbedding?: Float32Array
  /** A unit vector from the former model, if the pack keeps one. Never compared with the others. */
  readonly formerEmbedding?: Float32Array
  /** The length of the network's vector before normalisation, on a network-specific scale. Present if there is an embedding. */
  readonly embeddingStrength?: number
  /** How well the face can be recognised in this frame, 0...1. See frame-quality.ts. Present if there is an embedding. */
  readonly frameQuality?: number
  /** How well the face can be recognised from this picture alone, 0...1. See frame-quality.ts. Present if there is an embedding. */
  readonly unifiedQuality?: number
  /** The luminance of the aligned 112 x 112 face, used for comparisons within a session and never stored. */
  readonly aligned: Uint8Array
  readonly age?: AgeEstimate
  readonly gender?: GenderEstimate
  /** Present if requested. */
  readonly surface?: Surface
  /** Present if requested. */
  readonly appearance?: Appearance
}

/** A part of the analysis that a stream skips while its network is still loading. Without `points`, there is no `face`. */
export type MissingPart = 'points' | 'liveness' | 'expression'

export interface Analysis {
  readonly width: number
  readonly height: number
  /** The whole frame's mean luminance, 0...255. */
  readonly luminance: number
  /** The dominant face, or undefined if there is none. */
  readonly face: FaceAnalysis | undefined
  /** The dominant faces, up to the requested number. `face` is the first one. */
  readonly faces: readonly FaceAnalysis[]
  /** All other detected faces, largest first. Empty if the frame was only tracked. */
  readonly others: readonly DetectedFace[]
  /** True if the detector ran, false if the face was tracked from the previous frame. */
  readonly detected: boolean
  /** The dominant face as seen by the detector alone, while `points` are missing. */
  readonly detectedFace?: DetectedFace
  /** Requested parts that were skipped because their networks are still loading. Absent if nothing is missing. */
  readonly missing?: readonly MissingPart[]
  /** Present if requested. See scene-signature.ts. */
  readonly sceneSignature?: Float32Array
  /** The duration of each stage, in milliseconds. */
  readonly durations: Readonly<Record<string, number>>
}

/** Guidance needs no more pixels than this on the longer side. Submitted pictures keep their original size. */
export const followedLongestSide = 640
