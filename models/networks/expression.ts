import type { Feed } from '#models/picture/feed.ts'
import type { Region } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import { type AnalysisStages, type Expressions, expressionNames } from '#models/rules/analysis.ts'
import type { Mesh } from '#models/rules/face/mesh.ts'
import type { Tensor } from '../picture/tensor.ts'
import { faceRegion } from './landmarks.ts'
import { mirrorImage } from './mirror-image.ts'
import type { Session } from './session.ts'

const feed: Feed = { size: 112, channels: 'RGB', scale: 1, offset: 0 }

/** A square around the face. The side is a multiple of the mesh's longer side. */
interface Crop {
  readonly side: number
  readonly mirrored?: true
}

const crops: Readonly<Record<NonNullable<AnalysisStages['expression']>, readonly Crop[]>> = {
  light: [{ side: 1 }],
  full: [
    { side: 0.95 },
    { side: 1 },
    { side: 1.05 },
    { side: 1, mirrored: true },
    { side: 1.15, mirrored: true },
  ],
}

/** The network expects squares without the forehead, so each square moves down by this share of the mesh's longer side. */
const lower = 0.04

/**
 * Probabilities of seven expressions, summing to 1: the mean of face-api.js's network over one or five crops of the face.
 * Alternatives that measured worse are listed in the network's card.
 */
export async function recogniseExpression(
  session: Session,
  picture: Picture,
  mesh: Mesh,
  effort: NonNullable<AnalysisStages['expression']>,
): Promise<Expressions> {
  const sum = new Array<number>(expressionNames.length).fill(0)
  for (const crop of crops[effort]) {
    const output = await session.run(cropOf(crop, picture, mesh))
    const shares = output.expressions!.data
    for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + shares[i]! / crops[effort].length
  }
  return Object.fromEntries(expressionNames.map((name, i) => [name, sum[i]!])) as Expressions
}

function cropOf({ side, mirrored }: Crop, picture: Picture, mesh: Mesh): Tensor {
  const crop = picture.crop(loweredRegion(mesh, side), feed)
  return mirrored === undefined ? crop : mirrorImage(crop, picture)
}

function loweredRegion(mesh: Mesh, side: number): Region {
  const region = faceRegion(mesh, side)
  const shift = (lower * region.side) / side
  return {
    ...region,
    centreX: region.centreX - Math.sin(region.rotation) * shift,
    centreY: region.centreY + Math.cos(region.rotation) * shift,
  }
}
