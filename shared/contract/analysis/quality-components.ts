/**
 * Quality components of a face image, named as in ISO/IEC 29794-5:2025; 0 to 100 each, 100 is best. Only the names follow
 * the standard: `models/rules/quality/` defines how each is measured here.
 */
export const qualityComponents = [
  'backgroundUniformity',
  'illuminationUniformity',
  'luminanceMean',
  'luminanceVariance',
  'underExposurePrevention',
  'overExposurePrevention',
  'dynamicRange',
  'sharpness',
  'compressionArtifacts',
  'naturalColour',
  'singleFacePresent',
  'eyesOpen',
  'mouthClosed',
  'eyesVisible',
  'mouthOcclusionPrevention',
  'faceOcclusionPrevention',
  'interEyeDistance',
  'headSize',
  'leftwardCropOfTheFaceImage',
  'rightwardCropOfTheFaceImage',
  'marginAboveOfTheFaceImage',
  'marginBelowOfTheFaceImage',
  'headPoseYaw',
  'headPosePitch',
  'headPoseRoll',
  'expressionNeutrality',
  'noHeadCoverings',
] as const
export type QualityComponent = (typeof qualityComponents)[number]

/** Null for components that are not measured, or if the picture shows too little to measure them. */
export type QualityComponents = Readonly<Record<QualityComponent, number | null>>
