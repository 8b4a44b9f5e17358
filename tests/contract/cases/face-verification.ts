import type { Cases, Limits } from '../contract-case.ts'

export const faceVerificationCases: Cases = {}

export const faceVerificationLimits: Limits = {}
