import { faceTriangles } from '#lab/pictures/face-triangles.ts'
import { deviate } from '#lab/pictures/sensor.ts'
import { photographed, type Recipe } from './photographed.ts'
import { warp } from './warped.ts'

const spread = 0.05

export const warpedGainsRecipe: Recipe = (portrait, random) => {
  const own = Float32Array.from({ length: faceTriangles.length / 3 }, () => spread * deviate(random))
  return (movement, share) => warp(portrait, movement, () => own.map((change) => 1 + share * change))
}

/** Like `warped`, but each triangle's brightness changes randomly as the face moves, to imitate changing light. */
export const warpedGains = photographed(
  'warpedGains',
  'As warped; each triangle changes its brightness by 5 % at random as the face moves.',
  warpedGainsRecipe,
)
