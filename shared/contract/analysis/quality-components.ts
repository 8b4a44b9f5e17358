/**
 * Quality components of a face image, named as ISO/IEC 29794-5:2025 names them; 0 to 100 each, 100 best. Named as, never
 * conformant: `models/rules/quality/` says for each how it is measured here.
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

/** Null where we do not measure a component, or the picture shows too little for it. */
export type QualityComponents = Readonly<Record<QualityComponent, number | null>>
