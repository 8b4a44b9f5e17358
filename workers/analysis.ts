import type { Frame } from '#models/picture/frame.ts'
import type { Pipeline, Stream } from '#models/pipeline/pipeline.ts'
import type { Analysis, AnalysisStages } from '#models/rules/analysis.ts'
import type { AnalysisApi } from './api.ts'

/** The worker's API, built from a pipeline and a decoder of the environment's pictures. `networks`: see `Pipeline.stream`. */
export function createAnalysis<Input>(
  pipeline: Pipeline,
  decode: (picture: Input) => Promise<Frame>,
  networks: 'all' | 'opened' = 'all',
): AnalysisApi<Input> {
  let stream: Stream = pipeline.stream(networks)
  return {
    prepare: (wanted: AnalysisStages) => pipeline.prepare(wanted),
    analyse: async (picture, wanted): Promise<Analysis> => pipeline.analyse(await decode(picture), wanted),
    follow: async (picture, wanted): Promise<Analysis> => stream.next(await decode(picture), wanted),
    forget: async () => {
      stream = pipeline.stream(networks)
    },
  }
}
