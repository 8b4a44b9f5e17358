import type { Detection } from '#models/networks/detector.ts'
import { regionOfMesh } from '#models/networks/landmarks.ts'
import type { Region } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { AnalysisStages } from '#models/rules/analysis.ts'
import { byDominance, type FaceMesh, findFaces, meshesOfDominant, type Stages, track } from './finder.ts'
import type { Stopwatch } from './stopwatch.ts'

/** The dominant faces, and all detections. If a group is searched, each was confirmed by a second look. */
export async function look(
  stages: Stages,
  picture: Picture,
  { group, faces = 1 }: AnalysisStages,
  watch: Stopwatch,
): Promise<{ found: FaceMesh[]; detections: Detection[] }> {
  if (group === true) return lookInGroup(stages, picture, faces, watch)
  const detections = byDominance(await findFaces(stages, picture, watch), picture)
  const found = await meshesOfDominant(stages, picture, detections, faces, watch)
  if (found.length > 0 || group !== 'otherwise') return { found, detections }
  const inGroup = await lookInGroup(stages, picture, faces, watch)
  return inGroup.found.length > 0 ? inGroup : lookAtWhole(stages, picture, watch)
}

/** Everything that may be a face. */
export async function find(stages: Stages, picture: Picture, { group }: AnalysisStages, watch: Stopwatch) {
  if (!group) return findFaces(stages, picture, watch)
  const { findInGroup } = await import('./group-search.ts')
  return findInGroup(stages, picture, watch)
}

/** Loaded only for a group search, which a page never does. */
async function lookInGroup(stages: Stages, picture: Picture, faces: number, watch: Stopwatch) {
  const { lookForGroup } = await import('./group-search.ts')
  return lookForGroup(stages, picture, faces, watch)
}

/** Relative to the longer side: a face that fills the picture still needs some space around it. */
const wholeMargin = 1.25

/**
 * [Note: The whole picture may be a face] Detectors miss a face that fills a small picture to its edges. The mesh
 * therefore looks at the whole picture, twice, and has to be sure both times: it finds 39 of 146 such pictures of 48
 * pixels, and none in 80 of scenery.
 */
async function lookAtWhole(
  stages: Stages,
  picture: Picture,
  watch: Stopwatch,
): Promise<{ found: FaceMesh[]; detections: Detection[] }> {
  const { width, height } = picture
  const side = Math.max(width, height) * wholeMargin
  const whole: Region = { centreX: width / 2, centreY: height / 2, side, rotation: 0 }
  const first = await track(stages, picture, whole, watch)
  const second = first && (await track(stages, picture, regionOfMesh(first.mesh), watch))
  return { found: second === undefined ? [] : [second], detections: [] }
}
