import { faceMatchThresholds } from '#shared/contract/recognition/face-elements.ts'

/** The least similarity, 0 to 100, as it was typed: what counts, and what is asked for. Where nothing was typed, the server's own counts. */
export function thresholdOf(typed: string): {
  readonly least: number
  readonly asked: { readonly faceMatchThreshold?: number }
} {
  if (typed.trim() === '') return { least: faceMatchThresholds.default, asked: {} }
  const least = Number(typed)
  return { least, asked: { faceMatchThreshold: least } }
}
