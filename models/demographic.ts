import type { Region } from './geometry.ts'
import { boundingBox, eyeLine, type Mesh } from './landmarks.ts'
import type { Feed, Picture } from './picture.ts'
import type { Session } from './session.ts'

const feed: Feed = { size: 112, channels: 'RGB', scale: 1, offset: 0 }

export interface Demographic {
  readonly age: { readonly prediction: number; readonly uncertainty: number }
  /** Probability 0...1. */
  readonly gender: { readonly male: number }
}

/** Crops by which the estimate is taken; how far they disagree says how far it can be trusted. */
const crops = [0.92, 1.0, 1.15] as const
const floorInYears = 3.2
const rejectAtInYears = 6.5

/**
 * Age in years and gender from three crops of the face (face-api.js's TinyXception). `uncertainty` is the spread of
 * the crops, plus a floor, over the expected error at which an estimate should be rejected: above 1.0 reject.
 */
export async function estimateDemographic(
  session: Session,
  picture: Picture,
  mesh: Mesh,
): Promise<Demographic> {
  const ages: number[] = []
  let male = 0
  for (const side of crops) {
    const output = await session.run(picture.crop(faceRegion(mesh, side), feed))
    ages.push(output.age!.data[0]!)
    male += output.gender!.data[0]! / crops.length
  }
  const prediction = ages.reduce((sum, age) => sum + age, 0) / ages.length
  const spread = Math.sqrt(ages.reduce((sum, age) => sum + (age - prediction) ** 2, 0) / ages.length)
  return {
    age: { prediction: Math.max(0, prediction), uncertainty: (floorInYears + spread) / rejectAtInYears },
    gender: { male },
  }
}

/** A level square around the face; `share` is its side in units of the mesh's longer side. */
export function faceRegion({ points }: Mesh, share: number): Region {
  const box = boundingBox(points)
  return {
    centreX: box.x + box.width / 2,
    centreY: box.y + box.height / 2,
    side: Math.max(box.width, box.height) * share,
    rotation: eyeLine(points),
  }
}
