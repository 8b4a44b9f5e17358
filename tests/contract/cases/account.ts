import type { Cases, Limits } from '../contract-case.ts'

export const accountCases: Cases = {}

export const accountLimits: Limits = {}
