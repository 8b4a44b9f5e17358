import type { Frame } from '#models/picture/frame.ts'
import type { Pipeline, Stream } from '#models/pipeline.ts'
import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import type { AnalysisApi } from './api.ts'

/** The worker's API, from a pipeline and a way to turn the environment's picture into pixels. */
export function createAnalysis<Input>(
  pipeline: Pipeline,
  decode: (picture: Input) => Promise<Frame>,
): AnalysisApi<Input> {
  let stream: Stream = pipeline.stream()
  return {
    prepare: (wanted: Wanted, onProgress?: (share: number) => void) => pipeline.prepare(wanted, onProgress),
    analyse: async (picture, wanted): Promise<Analysis> => pipeline.analyse(await decode(picture), wanted),
    follow: async (picture, wanted): Promise<Analysis> => stream.next(await decode(picture), wanted),
    forget: async () => {
      stream = pipeline.stream()
    },
  }
}
