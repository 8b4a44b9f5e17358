import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createFakeAnalysis } from './fake-analysis.ts'
import { sceneOf } from './fake-picture.ts'
import { randomEmbedding } from './random-face.ts'

/** An analysis in which every person has a realistic random embedding. People are numbers. */
export function createRandomPeople(): AnalysisService {
  const analysis = createFakeAnalysis()
  return {
    parallel: analysis.parallel,
    async analyse(picture, ...request) {
      const seen = await analysis.analyse(picture, ...request)
      const embedding = randomEmbedding(Number(sceneOf(picture)?.person))
      return { ...seen, ...(seen.face && { face: { ...seen.face, embedding } }) }
    },
    close: analysis.close,
  }
}
