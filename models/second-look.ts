import type { Mesh } from '#models/rules/face/mesh.ts'
import type { Detectors } from './group.ts'
import { type Detection, detect, fullRange, shortRange } from './networks/detector.ts'
import { overlap } from './picture/geometry.ts'
import type { Picture } from './picture/picture.ts'

/** Who looks again, and at how many times the width of the box: a face is then of a size that the network knows well. */
const looks = [
  { detector: 'far', kind: fullRange, width: 6 },
  { detector: 'far', kind: fullRange, width: 4 },
  { detector: 'near', kind: shortRange, width: 4.5 },
] as const
/** Below, what is seen again counts as nothing. */
const minimumConfidence = 0.1
/** How far it must overlap with what is looked at again. */
const sameOverlap = 0.35

/** Pixels: a narrower face holds nothing that a network could read. */
const narrowest = 12
/** Where detector and mesh are both this sure, nobody looks again. */
const plain = { confidence: 0.6, presence: 0.95 } as const
/** What the second look must reach, by whether the mesh sees a face. */
const enough = { withMesh: 0.35, withoutMesh: 0.55 } as const
const meshSees = 0.5

/**
 * Whether a detection in a group is a face.
 *
 * [Note: A second look decides, not the mesh alone] The mesh refuses masked and tiny faces, and takes some patterns for a
 * face. So both detectors look again at what was found, in the middle of views that are cut for it: a face is seen in
 * each of them, and what only looked like one at a seam or at a scale is not. The thresholds are the same for all
 * pictures: see the card of `blazeface-full` for what they were chosen on.
 */
export async function isFace(
  detectors: Detectors,
  picture: Picture,
  detection: Detection,
  { presence }: Mesh,
): Promise<boolean> {
  if (detection.box.width < narrowest) return false
  if (detection.confidence >= plain.confidence && presence >= plain.presence) return true
  const needed = presence >= meshSees ? enough.withMesh : enough.withoutMesh
  return (await secondLook(detectors, picture, detection, needed)) >= needed
}

/** Mean confidence 0...1 of the looks; 0 as soon as they leave no hope for what is `needed`. */
async function secondLook(
  detectors: Detectors,
  picture: Picture,
  detection: Detection,
  needed: number,
): Promise<number> {
  let sum = 0
  for (const [i, { detector, kind, width }] of looks.entries()) {
    const within = around(detection, width)
    const found = await detect(detectors[detector], kind, picture, { within, minimumConfidence })
    sum += found.find(({ box }) => overlap(box, detection.box) > sameOverlap)?.confidence ?? 0
    const stillToCome = looks.length - i - 1
    if (sum + stillToCome < needed * looks.length) return 0
  }
  return sum / looks.length
}

function around({ box }: Detection, times: number) {
  const side = box.width * times
  return {
    x: box.x + (box.width - side) / 2,
    y: box.y + (box.height - side) / 2,
    width: side,
    height: side,
  }
}
