import type { Cases, Limits } from '../contract-case.ts'

export const demographicCases: Cases = {}

export const demographicLimits: Limits = {}
