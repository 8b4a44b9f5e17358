import { boundingBox, type Mesh } from '#models/rules/face/mesh.ts'
import { detectGroup, isSameFace, widerViewsOf } from './group.ts'
import { type Detection, detect, fullRange, shortRange } from './networks/detector.ts'
import { findMesh, regionOfDetection, regionOfMesh } from './networks/landmarks.ts'
import type { ModelName, Session } from './networks/session.ts'
import { orient } from './orientation.ts'
import { overlap, type Region } from './picture/geometry.ts'
import type { Picture } from './picture/picture.ts'
import type { Box, DetectedFace, Wanted } from './rules/analysis.ts'
import type { Pack } from './rules/packs.ts'
import { isFace, withEyes } from './second-look.ts'
import type { Stopwatch } from './stopwatch.ts'

const lostBelowPresence = 0.5

/** The networks, opened when they are first asked for, and a clock. */
export interface Stages {
  readonly network: (name: ModelName) => Promise<Session>
  readonly now: () => number
  readonly pack: Pack
  /** Waited for between faces, and between looks at parts of the picture: others may have their turn meanwhile. */
  readonly pause?: (() => Promise<void>) | undefined
}

/** A face by its mesh, and by its detection where it was not followed. */
export interface Found {
  readonly mesh: Mesh
  readonly detection: Detection | undefined
}

/** The face of the frame before, where it still is. */
export async function track(
  stages: Stages,
  picture: Picture,
  region: Region,
  watch: Stopwatch,
): Promise<Found | undefined> {
  const session = await stages.network('facemesh')
  const mesh = await watch.time('landmarks', () => findMesh(session, picture, region))
  return mesh.presence < lostBelowPresence ? undefined : { mesh, detection: undefined }
}

/** The dominant faces, and all that were detected; where a group is looked for, each was looked at again. */
export async function look(
  stages: Stages,
  picture: Picture,
  { group, faces = 1 }: Wanted,
  watch: Stopwatch,
): Promise<{ found: Found[]; detections: Detection[] }> {
  if (group === true) return lookForGroup(stages, picture, faces, watch)
  const detections = byDominance(await findFaces(stages, picture, {}, watch), picture)
  const found = await meshesOfDominant(stages, picture, detections, faces, watch)
  if (found.length > 0 || group !== 'otherwise') return { found, detections }
  const inGroup = await lookForGroup(stages, picture, faces, watch)
  return inGroup.found.length > 0 ? inGroup : lookAtWhole(stages, picture, watch)
}

/** Views for each picture of a stream: with more, a device would show fewer pictures a second to those who are not seen. */
const viewsAtOnce = 3

/**
 * Makes what looks for a face of any size in a stream whose whole pictures show none.
 * [Note: Some views a picture] A person stays for many pictures, so each is looked at in a few views, in turn.
 */
export function createWiderLook(stages: Stages) {
  let next = 0
  return async (picture: Picture, watch: Stopwatch): Promise<Found | undefined> => {
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

/** Of the longer side: a face that fills the picture still needs some space around it. */
const wholeMargin = 1.25

/**
 * [Note: The whole picture may be a face] Detectors miss one that fills a small picture to its edges. The mesh looks at
 * all of it, twice, and has to be sure both times: of 146 such pictures of 48 pixels it finds 39, in 80 of scenery none.
 */
async function lookAtWhole(
  stages: Stages,
  picture: Picture,
  watch: Stopwatch,
): Promise<{ found: Found[]; detections: Detection[] }> {
  const { width, height } = picture
  const side = Math.max(width, height) * wholeMargin
  const whole: Region = { centreX: width / 2, centreY: height / 2, side, rotation: 0 }
  const first = await track(stages, picture, whole, watch)
  const second = first && (await track(stages, picture, regionOfMesh(first.mesh), watch))
  return { found: second === undefined ? [] : [second], detections: [] }
}

async function lookForGroup(
  stages: Stages,
  picture: Picture,
  count: number,
  watch: Stopwatch,
): Promise<{ found: Found[]; detections: Detection[] }> {
  const candidates = byDominance(await findFaces(stages, picture, { group: true }, watch), picture)
  const confirmed = await confirm(stages, picture, candidates, watch)
  const session = await stages.network('facemesh')
  const found: Found[] = []
  for (const { mesh, detection } of confirmed.slice(0, count)) {
    await stages.pause?.()
    const second = await watch.time('landmarks', () => findMesh(session, picture, regionOfMesh(mesh)))
    const isLost = second.presence < Math.min(mesh.presence, lostBelowPresence)
    const oriented = await watch.time('landmarks', () =>
      orient(session, picture, detection, isLost ? mesh : second),
    )
    if (oriented !== undefined) found.push({ mesh: oriented, detection })
  }
  return { found, detections: confirmed.map(({ detection }) => detection) }
}

/** Whatever may be a face. */
export async function findFaces(
  stages: Stages,
  picture: Picture,
  wanted: Wanted,
  watch: Stopwatch,
): Promise<Detection[]> {
  const near = await stages.network(shortRange.name)
  if (!wanted.group) return watch.time('detection', () => detect(near, shortRange, picture))
  const small = stages.pack.detectsUpright
    ? { upright: await stages.network('fr-detect') }
    : { far: await stages.network(fullRange.name) }
  return watch.time('detection', () => detectGroup({ near, small }, picture, stages.pause))
}

/** What is a face at a second look, each face once, with its first mesh. */
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

/** The first faces whose mesh agrees that they are some; two passes of the mesh each. */
export async function meshesOfDominant(
  stages: Stages,
  picture: Picture,
  detections: readonly Detection[],
  count: number,
  watch: Stopwatch,
): Promise<Found[]> {
  const session = await stages.network('facemesh')
  const found: Found[] = []
  for (const detection of detections) {
    if (found.length >= count) break
    await stages.pause?.()
    const mesh = await watch.time('landmarks', async () => {
      const first = await findMesh(session, picture, regionOfDetection(detection))
      return orient(session, picture, detection, await findMesh(session, picture, regionOfMesh(first)))
    })
    if (mesh !== undefined && mesh.presence >= lostBelowPresence) found.push({ mesh, detection })
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

/** The detections that are none of the faces that were found, largest first. */
export function othersThan(found: readonly Found[], detections: readonly Detection[]): DetectedFace[] {
  if (found.length === 0) return []
  const own = found.map(({ mesh }) => boundingBox(mesh.points))
  return detections
    .filter((detection) => !found.some((one) => one.detection === detection))
    .filter(({ box }) => own.every((taken) => overlap(box, taken) < 0.2))
    .map(({ box, confidence }) => ({ box, confidence }))
    .sort((a, b) => b.box.width - a.box.width)
}
