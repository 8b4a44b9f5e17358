import type { Cases, Limits } from '../contract-case.ts'

export const recognitionCases: Cases = {}

export const recognitionLimits: Limits = {}
