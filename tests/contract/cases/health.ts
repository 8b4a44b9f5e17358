import type { Cases, Limits } from '../contract-case.ts'

export const healthCases: Cases = { healthz: { 200: () => ({}) } }

export const healthLimits: Limits = {}
