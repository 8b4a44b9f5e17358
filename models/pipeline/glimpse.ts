import { detect, shortRange } from '#models/networks/detector.ts'
import type { ModelName } from '#models/networks/session.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { AnalysisStages, DetectedFace, MissingPart } from '#models/rules/analysis.ts'
import { byDominance, findFaces, type Stages } from './finder.ts'
import type { Stopwatch } from './stopwatch.ts'
import { widerViewsOf } from './views.ts'

/** Views that are added to each whole picture without a face: see `createWiderLook`. */
const viewsAtOnce = 3

/**
 * Creates a search with the detector alone, dominant face first, for use until the mesh network is loaded. Its answer is
 * unconfirmed, so it is good for "a face or none" only.
 */
export function createGlimpse(stages: Stages) {
  let next = 0
  return async (picture: Picture, watch: Stopwatch): Promise<DetectedFace[]> => {
    let found = await findFaces(stages, picture, watch)
    const views = widerViewsOf(picture)
    for (let i = 0; i < viewsAtOnce && found.length === 0; i++) {
      const within = views[next++ % views.length]!
      const near = await stages.network(shortRange.name)
      found = await watch.time('detection', () => detect(near, shortRange, picture, { within }))
    }
    return byDominance(found, picture).map(({ box, confidence }) => ({ box, confidence }))
  }
}

/** Divides the request into parts that the `opened` networks can answer now, and parts that are missing until others are. */
export function divideByNetworks(
  wanted: AnalysisStages,
  isOpened: (name: ModelName) => boolean,
): { there: AnalysisStages; missing: MissingPart[] } {
  const { liveness, expression, ...always } = wanted
  const hasPoints = isOpened('facemesh')
  const tellsLiveness = hasPoints && isOpened('fr-liveness')
  const tellsExpression = hasPoints && isOpened('face-expression')
  return {
    there: {
      ...always,
      ...(liveness && tellsLiveness && { liveness }),
      ...(expression && tellsExpression && { expression }),
    },
    missing: [
      ...(hasPoints ? [] : (['points'] as const)),
      ...(liveness && !tellsLiveness ? (['liveness'] as const) : []),
      ...(expression && !tellsExpression ? (['expression'] as const) : []),
    ],
  }
}
