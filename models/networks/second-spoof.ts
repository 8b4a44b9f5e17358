import type { Feed } from '#models/picture/feed.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { AnalysisStages, Box, LiveProbabilities } from '#models/rules/analysis.ts'
import type { Tensor } from '../picture/tensor.ts'
import { mirrorImage } from './mirror-image.ts'
import type { Session } from './session.ts'
import { cropAround, softmaxAt } from './spoof.ts'

/** Raw bytes. If the values are scaled to 0...1, the network rejects everyone. */
const feed: Feed = { size: 80, channels: 'BGR', scale: 1, offset: 0 }
/** Class 1 is a living person. Classes 0 and 2 are kinds of attack. */
const living = 1

/**
 * The liveness score of MiniFASNetV2 of Silent-Face-Anti-Spoofing (Minivision 2020), on the same crop as the first
 * network: one run for `light`, otherwise the mean of the crop and its mirror image.
 */
export async function secondLiveProbabilities(
  session: Session,
  picture: Picture,
  face: Box,
  depth: NonNullable<AnalysisStages['liveness']>,
): Promise<NonNullable<LiveProbabilities['second']>> {
  const probability = async (crop: Tensor) => softmaxAt((await session.run(crop)).output!.data, living)
  const crop = picture.stretch(cropAround(face, picture), feed)
  if (depth === 'light') return { raw: await probability(crop) }
  return { raw: ((await probability(crop)) + (await probability(mirrorImage(crop, picture)))) / 2 }
}
