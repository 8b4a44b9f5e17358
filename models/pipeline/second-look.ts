import { type Detection, detect, fullRange, shortRange } from '#models/networks/detector.ts'
import type { Session } from '#models/networks/session.ts'
import { overlap } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Box } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'

/** The short-range network and the full-range one. */
export interface Detectors {
  readonly near: Session
  readonly far: Session
}

/** The network for each second look, and the view in widths of the box, chosen so that the face has a size that suits the network. */
const looks = {
  near: { kind: shortRange, width: 4.5 },
  far: { kind: fullRange, widths: [6, 4] },
} as const
/** Below this, a second detection counts as none. */
const minimumConfidence = 0.1
/** Minimum overlap with the detection that is checked. */
const sameOverlap = 0.35

/** Pixels: a narrower face contains nothing that a network could read. */
const narrowest = 12
/** If detector and mesh are both this sure, no network looks again. */
const plain = { confidence: 0.6, presence: 0.95 } as const
/** The same for a face that only the network of upright faces found, after the short-range network looked again. */
const plainUpright = { upright: 0.9, again: 0.5, presence: 0.95 } as const
/** Minimum mean confidence of the three looks, with and without a mesh. */
const enough = { withMesh: 0.35, withoutMesh: 0.55 } as const
/** The same for the network for upright faces and the three looks; lower without a mesh if that network is sure. */
const enoughUpright = { withMesh: 0.43, sureWithoutMesh: 0.45, withoutMesh: 0.62 } as const
const meshSees = 0.5

/** A detection, and the confidence of the short-range network's second look if it has looked. */
export interface Candidate extends Detection {
  readonly again?: number
}

/**
 * Lets the short-range network look at a face whose eyes are unknown. [Note: Eyes before the mesh] The crop of the mesh
 * is level with the eyes and centred on the box of this network.
 */
export async function withEyes(near: Session, picture: Picture, detection: Detection): Promise<Candidate> {
  if (detection.keypoints.length > 0) return detection
  const seen = await lookAgain(near, shortRange, picture, detection, looks.near.width)
  if (seen === undefined) return { ...detection, again: 0 }
  return {
    ...detection,
    box: seen.box,
    keypoints: seen.keypoints,
    confidence: seen.confidence,
    again: seen.confidence,
  }
}

/**
 * Decides if a detection in a group is a face.
 *
 * [Note: A second look decides, not the mesh alone] The mesh rejects masked and tiny faces, and accepts some patterns. So
 * both of MediaPipe's detectors look again at each detection, in the middle of views that are cut for it. A real face is
 * seen in each of them; something that only looked like one at a seam or at one scale is not. The thresholds are the same
 * for all pictures: see the cards of `blazeface-full` and `fr-detect` for the data behind them.
 */
export async function isFace(
  detectors: Detectors,
  picture: Picture,
  candidate: Candidate,
  { presence }: Mesh,
): Promise<boolean> {
  const { confidence, upright, again, box } = candidate
  if (box.width < narrowest) return false
  if (again === undefined && confidence >= plain.confidence && presence >= plain.presence) return true
  if (again !== undefined && isPlainUpright(candidate, presence)) return true
  const needed = upright === undefined ? neededOfLooks(presence) : neededWithUpright(presence, upright)
  return isSeenAgain(detectors, picture, candidate, needed)
}

function neededOfLooks(presence: number): number {
  return presence >= meshSees ? enough.withMesh : enough.withoutMesh
}

function neededWithUpright(presence: number, upright: number): number {
  if (presence >= meshSees) return enoughUpright.withMesh
  return upright >= plainUpright.upright ? enoughUpright.sureWithoutMesh : enoughUpright.withoutMesh
}

function isPlainUpright({ upright = 0, again = 0 }: Candidate, presence: number): boolean {
  return upright >= plainUpright.upright && again >= plainUpright.again && presence >= plainUpright.presence
}

/** Returns true if the mean confidence reaches `needed`. Stops as soon as the remaining looks cannot raise it that far. */
async function isSeenAgain(
  { near, far }: Detectors,
  picture: Picture,
  candidate: Candidate,
  needed: number,
): Promise<boolean> {
  const known = [candidate.upright, candidate.again].filter((one) => one !== undefined)
  const left = [
    ...looks.far.widths.map((width) => () => lookAgain(far, fullRange, picture, candidate, width)),
    ...(candidate.again === undefined
      ? [() => lookAgain(near, shortRange, picture, candidate, looks.near.width)]
      : []),
  ]
  const count = known.length + left.length
  let sum = known.reduce((total, one) => total + one, 0)
  for (const [i, look] of left.entries()) {
    if (sum + left.length - i < needed * count) return false
    sum += (await look())?.confidence ?? 0
  }
  return sum >= needed * count
}

/** Runs a network on a view around a face, `width` times as wide as its box; undefined if it does not see the face there. */
async function lookAgain(
  session: Session,
  kind: Parameters<typeof detect>[1],
  picture: Picture,
  { box }: Detection,
  width: number,
): Promise<Detection | undefined> {
  const found = await detect(session, kind, picture, { within: around(box, width), minimumConfidence })
  return found.find((one) => overlap(one.box, box) > sameOverlap)
}

function around({ x, y, width, height }: Box, times: number): Box {
  const side = width * times
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side }
}
