import type { Cases, Limits } from '../contract-case.ts'

export const emotionAttentionCases: Cases = {}

export const emotionAttentionLimits: Limits = {}
