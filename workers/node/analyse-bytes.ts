import { takesCopy } from '#models/pipeline/copies.ts'
import type { Pipeline } from '#models/pipeline/pipeline.ts'
import type { Analysis, AnalysisStages } from '#models/rules/analysis.ts'
import type { decodeImage } from './image-decoder.ts'

/**
 * Analyses the bytes of a JPEG or PNG. For a large picture, uses a smaller copy if that is enough.
 * @throws {Problem} unreadable_image
 */
export async function analyseBytes(
  pipeline: Pipeline,
  decode: typeof decodeImage,
  bytes: Uint8Array,
  wanted: AnalysisStages,
  pause?: () => Promise<void>,
): Promise<Analysis> {
  const frame = await decode(bytes, { asCopy: takesCopy(wanted) })
  return pipeline.analyse(frame, wanted, pause, () => decode(bytes))
}
