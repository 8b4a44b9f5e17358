import { type Detection, detect, shortRange } from '#models/networks/detector.ts'
import { findMesh, regionOfDetection, regionOfMesh } from '#models/networks/landmarks.ts'
import type { ModelName, Session } from '#models/networks/session.ts'
import { overlap, type Region } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { DetectedFace } from '#models/rules/analysis.ts'
import { boundingBox, type Mesh } from '#models/rules/face/mesh.ts'
import type { Pack } from '#models/rules/packs.ts'
import { orient } from './orientation.ts'
import type { Stopwatch } from './stopwatch.ts'
import { widerViewsOf } from './views.ts'

/** 0...1: the lowest presence at which the mesh still counts as a face. */
export const lostBelowPresence = 0.5

/** The networks, opened on first use, and a clock. */
export interface Stages {
  readonly network: (name: ModelName) => Promise<Session>
  readonly now: () => number
  readonly pack: Pack
  /** Awaited between faces, and between parts of the picture, so that other work can run. */
  readonly pause?: (() => Promise<void>) | undefined
}

/** A face by its mesh, and by its detection unless it was followed. */
export interface FaceMesh {
  readonly mesh: Mesh
  readonly detection: Detection | undefined
}

/** The face of the previous frame, if it is still there. */
export async function track(
  stages: Stages,
  picture: Picture,
  region: Region,
  watch: Stopwatch,
): Promise<FaceMesh | undefined> {
  const session = await stages.network('facemesh')
  const mesh = await watch.time('landmarks', () => findMesh(session, picture, region))
  return mesh.presence < lostBelowPresence ? undefined : { mesh, detection: undefined }
}

/** Views per picture of a stream. More would reduce the frame rate on devices while no face is found. */
const viewsAtOnce = 3

/**
 * Creates a search for faces of any size, for streams whose whole pictures show none. [Note: Some views a picture] A
 * person stays for many pictures, so each picture is searched in only a few views, in rotation.
 */
export function createWiderLook(stages: Stages) {
  let next = 0
  return async (picture: Picture, watch: Stopwatch): Promise<FaceMesh | undefined> => {
    const near = await stages.network(shortRange.name)
    const views = widerViewsOf(picture)
    for (let i = 0; i < viewsAtOnce; i++) {
      const within = views[next++ % views.length]!
      const detections = await watch.time('detection', () => detect(near, shortRange, picture, { within }))
      const [found] = await meshesOfDominant(stages, picture, byDominance(detections, picture), 1, watch)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The faces that the short-range network finds in the whole picture. */
export async function findFaces(stages: Stages, picture: Picture, watch: Stopwatch): Promise<Detection[]> {
  const near = await stages.network(shortRange.name)
  return watch.time('detection', () => detect(near, shortRange, picture))
}

/** The first faces that their mesh confirms; two passes of the mesh each. */
export async function meshesOfDominant(
  stages: Stages,
  picture: Picture,
  detections: readonly Detection[],
  count: number,
  watch: Stopwatch,
): Promise<FaceMesh[]> {
  const session = await stages.network('facemesh')
  const near = await stages.network(shortRange.name)
  const found: FaceMesh[] = []
  for (const detection of detections) {
    if (found.length >= count) break
    await stages.pause?.()
    const mesh = await watch.time('landmarks', async () => {
      const first = await findMesh(session, picture, regionOfDetection(detection))
      const second = await findMesh(session, picture, regionOfMesh(first))
      return orient({ near, mesh: session }, picture, detection, second)
    })
    if (mesh.presence >= lostBelowPresence) found.push({ mesh, detection })
  }
  return found
}

/** The largest, most certain and most central faces first. */
export function byDominance(detections: readonly Detection[], picture: Picture): Detection[] {
  const weight = ({ box, confidence }: Detection) => {
    const dx = (box.x + box.width / 2) / picture.width - 0.5
    const dy = (box.y + box.height / 2) / picture.height - 0.5
    return box.width * confidence * (1 - Math.min(0.8, Math.hypot(dx, dy)))
  }
  return [...detections].sort((a, b) => weight(b) - weight(a))
}

/** The detections that match none of the found faces, largest first. */
export function othersThan(found: readonly FaceMesh[], detections: readonly Detection[]): DetectedFace[] {
  if (found.length === 0) return []
  const own = found.map(({ mesh }) => boundingBox(mesh.points))
  return detections
    .filter((detection) => !found.some((one) => one.detection === detection))
    .filter(({ box }) => own.every((taken) => overlap(box, taken) < 0.2))
    .map(({ box, confidence }) => ({ box, confidence }))
    .sort((a, b) => b.box.width - a.box.width)
}
