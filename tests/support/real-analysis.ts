import { createPipeline } from '#models/pipeline/pipeline.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'

/** The real networks on real pictures, running in this thread. */
export async function openRealAnalysis(): Promise<AnalysisService> {
  const { open } = await openRuntime()
  const pipeline = createPipeline(open, () => performance.now())
  return {
    parallel: 1,
    analyse: async (picture, wanted) => pipeline.analyse(await decodeImage(picture), wanted),
    close: async () => {},
  }
}
