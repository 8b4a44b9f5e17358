import { type Detection, fullRange, shortRange } from '#models/networks/detector.ts'
import { findMesh, regionOfDetection, regionOfMesh } from '#models/networks/landmarks.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Box } from '#models/rules/analysis.ts'
import { boundingBox, type Mesh } from '#models/rules/face/mesh.ts'
import { byDominance, type FaceMesh, lostBelowPresence, type Stages } from './finder.ts'
import { detectGroup, isSameFace } from './group.ts'
import { orient } from './orientation.ts'
import { isFace, withEyes } from './second-look.ts'
import type { Stopwatch } from './stopwatch.ts'

/** The dominant faces of a group, and all faces that a second look confirms. */
export async function lookForGroup(
  stages: Stages,
  picture: Picture,
  count: number,
  watch: Stopwatch,
): Promise<{ found: FaceMesh[]; detections: Detection[] }> {
  const candidates = byDominance(await findInGroup(stages, picture, watch), picture)
  const confirmed = await confirm(stages, picture, candidates, watch)
  const session = await stages.network('facemesh')
  const near = await stages.network(shortRange.name)
  const found: FaceMesh[] = []
  for (const { mesh, detection } of confirmed.slice(0, count)) {
    await stages.pause?.()
    const second = await watch.time('landmarks', () => findMesh(session, picture, regionOfMesh(mesh)))
    const isLost = second.presence < Math.min(mesh.presence, lostBelowPresence)
    const oriented = await watch.time('landmarks', () =>
      orient({ near, mesh: session }, picture, detection, isLost ? mesh : second),
    )
    found.push({ mesh: oriented, detection })
  }
  return { found, detections: confirmed.map(({ detection }) => detection) }
}

/** Every detection that may be a face. */
export async function findInGroup(stages: Stages, picture: Picture, watch: Stopwatch): Promise<Detection[]> {
  const near = await stages.network(shortRange.name)
  const small = stages.pack.detectsUpright
    ? { upright: await stages.network('fr-detect') }
    : { far: await stages.network(fullRange.name) }
  return watch.time('detection', () => detectGroup({ near, small }, picture, stages.pause))
}

/** Keeps the detections that a second look confirms, each face once, with its first mesh. */
async function confirm(
  stages: Stages,
  picture: Picture,
  detections: readonly Detection[],
  watch: Stopwatch,
): Promise<{ mesh: Mesh; detection: Detection }[]> {
  const session = await stages.network('facemesh')
  const detectors = {
    near: await stages.network(shortRange.name),
    far: await stages.network(fullRange.name),
  }
  const confirmed: { detection: Detection; mesh: Mesh; box: Box }[] = []
  for (const found of detections) {
    await stages.pause?.()
    const detection = await watch.time('detection', () => withEyes(detectors.near, picture, found))
    const mesh = await watch.time('landmarks', () => findMesh(session, picture, regionOfDetection(detection)))
    const box = boundingBox(mesh.points)
    if (confirmed.some((other) => isSameFace(other.box, box))) continue
    if (await watch.time('detection', () => isFace(detectors, picture, detection, mesh)))
      confirmed.push({ detection, mesh, box })
  }
  return confirmed
}
