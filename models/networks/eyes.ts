import type { Feed } from '#models/picture/feed.ts'
import type { Point, Region } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import { eyeLine, type Mesh, point } from '#models/rules/face/mesh.ts'
import type { Session } from './session.ts'

const feed: Feed = { size: 24, channels: 'grey', scale: 1 / 255, offset: 0 }
const margin = 1.6

/** The probability that each eye is closed. Left and right are from the person's point of view. */
export async function closedEyes(
  session: Session,
  picture: Picture,
  mesh: Mesh,
): Promise<{ left: number; right: number }> {
  return {
    left: await closed(session, picture, eyeRegion(mesh, 362, 263)),
    right: await closed(session, picture, eyeRegion(mesh, 33, 133)),
  }
}

async function closed(session: Session, picture: Picture, region: Region): Promise<number> {
  const output = await session.run(picture.crop(region, feed))
  const [first, second] = (output.probabilities ?? output.logits)!.data as unknown as [number, number]
  return output.probabilities === undefined ? 1 / (1 + Math.exp(second - first)) : first
}

function eyeRegion({ points }: Mesh, a: number, b: number): Region {
  const from = point(points, a)
  const to = point(points, b)
  return {
    centreX: (from.x + to.x) / 2,
    centreY: (from.y + to.y) / 2,
    side: Math.hypot(to.x - from.x, to.y - from.y) * margin,
    rotation: eyeLine(points),
  }
}

/**
 * How open the eyes are: the height over the width of each eye's contour, averaged (Soukupova & Cech 2016, "eye aspect ratio"). About 0.2 to 0.4
 * when open. Compare it with the same person's neutral value.
 */
export function eyeOpennessOf({ points }: Mesh): number {
  const ratio = (contour: readonly [number, number, number, number, number, number]) => {
    const [outer, a, b, inner, c, d] = contour.map((index) => point(points, index)) as [
      Point,
      Point,
      Point,
      Point,
      Point,
      Point,
    ]
    return (distance(a, d) + distance(b, c)) / (2 * Math.max(1e-6, distance(outer, inner)))
  }
  return (ratio([33, 160, 158, 133, 153, 144]) + ratio([362, 385, 387, 263, 373, 380])) / 2
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
