import type { Cases, Limits } from '../contract-case.ts'

export const livenessCases: Cases = {}

export const livenessLimits: Limits = {}
