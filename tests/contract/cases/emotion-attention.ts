import { imageCases, pictureLimits } from './image.ts'

export const emotionAttentionCases = { detectEmotionAttention: imageCases }

export const emotionAttentionLimits = { detectEmotionAttention: pictureLimits }
