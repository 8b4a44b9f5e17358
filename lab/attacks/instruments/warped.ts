import { atRest, type Movement, moveFace } from '#lab/pictures/move-face.ts'
import { type Gains, type Points, paintMesh } from '#lab/pictures/paint-mesh.ts'
import { copyOf, type Raster } from '#lab/pictures/raster.ts'
import type { Portrait } from '../people/portraits.ts'
import { photographed, type Recipe } from './photographed.ts'

/** Moves the face in a photograph and leaves its surroundings unchanged. */
export function warp(
  { picture, points, fit }: Portrait,
  movement: Movement,
  gainsOf?: (moved: Points) => Gains,
): Raster {
  if (movement === atRest) return picture
  const moved = moveFace(points, fit, movement)
  const onto = copyOf(picture)
  paintMesh(onto, picture, points, moved, gainsOf?.(moved))
  return onto
}

export const warpedRecipe: Recipe = (portrait) => (movement) => warp(portrait, movement)

/** A single photograph. The mesh's 468 points, lifted to three dimensions, move its face. */
export const warped = photographed(
  'warped',
  'One photograph; the 468 points of the product’s mesh, lifted to 3D, are moved as asked and its triangles warped.',
  warpedRecipe,
)
