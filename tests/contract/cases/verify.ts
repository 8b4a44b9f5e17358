import type { Cases, Limits } from '../contract-case.ts'

export const verifyCases: Cases = {}

export const verifyLimits: Limits = {}
