import type { QualityComponents } from './quality-components.ts'

/** The quality of a good photograph, as an example of an answer. */
export const exampleQuality: { unifiedScore: number; components: QualityComponents } = {
  unifiedScore: 84,
  components: {
    backgroundUniformity: 93,
    illuminationUniformity: 88,
    luminanceMean: 97,
    luminanceVariance: 91,
    underExposurePrevention: 99,
    overExposurePrevention: 100,
    dynamicRange: 95,
    sharpness: 100,
    compressionArtifacts: 87,
    naturalColour: 98,
    singleFacePresent: 100,
    eyesOpen: 96,
    mouthClosed: 90,
    eyesVisible: null,
    mouthOcclusionPrevention: 94,
    faceOcclusionPrevention: 92,
    interEyeDistance: 82,
    headSize: 71,
    leftwardCropOfTheFaceImage: 100,
    rightwardCropOfTheFaceImage: 100,
    marginAboveOfTheFaceImage: 85,
    marginBelowOfTheFaceImage: 100,
    headPoseYaw: 97,
    headPosePitch: 94,
    headPoseRoll: 99,
    expressionNeutrality: 76,
    noHeadCoverings: null,
  },
}

/** A face that was found, as an example of an answer. */
export const exampleFace = {
  confidence: 0.97,
  boundingBox: { x: 212, y: 118, width: 208, height: 262 },
}
