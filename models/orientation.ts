import type { Detection } from './networks/detector.ts'
import { findMesh, regionOfDetection, regionOfMesh } from './networks/landmarks.ts'
import type { Session } from './networks/session.ts'
import type { Picture } from './picture/picture.ts'
import type { Mesh } from './rules/face/mesh.ts'

/** A detector is this sure of nearly every upright face, and of no face that is upside down (the surest of 93 had .84). */
const sureConfidence = 0.85
/** The mesh, too: of 93 faces whose landmarks lay upside down the highest logit was 14.8; nine upright faces in ten have more than 17. */
const sureLogit = 16
/** Another orientation counts against the first one only if the mesh prefers it by more than this, as a logit. */
const plainlyBetter = 1

const otherTurns = [180, 90, 270] as const

/**
 * The mesh of a detected face in the orientation in which the mesh believes in it most; undefined if that is another one than the
 * detector's and the mesh does not see a face in it either.
 *
 * [Note: Landmarks in place, or no face] Detectors find about half of the faces that are upside down, and say that the eyes are where the
 * mouth is. The landmarks that follow are wrong, and so is all that is read at them. Networks were trained on upright faces and are less sure
 * of others, so only a face that both doubt is looked at in other orientations: an upright one costs nothing.
 */
export async function orient(
  session: Session,
  picture: Picture,
  detection: Detection,
  mesh: Mesh,
): Promise<Mesh | undefined> {
  if (detection.confidence >= sureConfidence || logitOf(mesh) >= sureLogit) return mesh
  const region = regionOfDetection(detection)
  let best = mesh
  for (const degrees of otherTurns) {
    const rotation = region.rotation + (degrees * Math.PI) / 180
    const turned = await findMesh(session, picture, { ...region, rotation })
    if (logitOf(turned) > logitOf(best)) best = turned
  }
  if (best === mesh) return mesh
  const settled = await findMesh(session, picture, regionOfMesh(best))
  if (logitOf(settled) > Math.max(0, logitOf(mesh))) return settled
  return logitOf(best) > logitOf(mesh) + plainlyBetter ? undefined : mesh
}

function logitOf({ presence }: Mesh): number {
  return Math.log(presence / (1 - presence))
}
