import { faceMatchThresholds } from '#shared/contract/recognition/face-elements.ts'

/** Parses a similarity threshold between 0 and 100. An empty field falls back to the server's default. */
export function thresholdOf(typed: string): {
  readonly least: number
  readonly asked: { readonly faceMatchThreshold?: number }
} {
  if (typed.trim() === '') return { least: faceMatchThresholds.default, asked: {} }
  const least = Number(typed)
  return { least, asked: { faceMatchThreshold: least } }
}
