import type { Feed } from '#models/picture/feed.ts'
import { type Region, regionToPicture } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import { boundingBox, eyeLine, landmarkCount, type Mesh } from '#models/rules/face/mesh.ts'
import type { Detection } from './detector.ts'
import type { Session } from './session.ts'

const feed: Feed = { size: 192, channels: 'RGB', scale: 1 / 255, offset: 0 }
const margin = 1.5

/** The mesh of one region: Kartynnik et al. 2019, "Real-time facial surface geometry". Invalidates earlier crops of the picture. */
export async function findMesh(session: Session, picture: Picture, region: Region): Promise<Mesh> {
  const map = regionToPicture(region, feed.size)
  picture.takeBack()
  const output = await session.run(picture.warp(map, feed))
  const raw = output.landmarks!.data
  const points = new Float32Array(landmarkCount * 3)
  const depthScale = region.side / feed.size
  for (let i = 0; i < landmarkCount * 3; i += 3) {
    const x = raw[i]!
    const y = raw[i + 1]!
    points[i] = map[0] * x + map[1] * y + map[2]
    points[i + 1] = map[3] * x + map[4] * y + map[5]
    points[i + 2] = raw[i + 2]! * depthScale
  }
  return { points, presence: 1 / (1 + Math.exp(-output.presence!.data[0]!)) }
}

/** The region in which to look for a detected face's mesh: its box plus a margin, rotated to level the eyes if the detector found them. */
export function regionOfDetection({ box, keypoints: [rightEye, leftEye] }: Detection): Region {
  const hasEyes = rightEye !== undefined && leftEye !== undefined
  return {
    centreX: box.x + box.width / 2,
    centreY: box.y + box.height / 2,
    side: Math.max(box.width, box.height) * margin,
    rotation: hasEyes ? Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x) : 0,
  }
}

/** Derives the region for the next pass from a mesh, either to refine it or to follow the face into the next frame of a stream. */
export function regionOfMesh(mesh: Mesh): Region {
  return faceRegion(mesh, margin)
}

/** An unrotated square around the face. `share` is its side as a multiple of the mesh's longer side. */
export function faceRegion({ points }: Mesh, share: number): Region {
  const box = boundingBox(points)
  return {
    centreX: box.x + box.width / 2,
    centreY: box.y + box.height / 2,
    side: Math.max(box.width, box.height) * share,
    rotation: eyeLine(points),
  }
}
