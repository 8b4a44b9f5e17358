import { bend } from '#lab/pictures/bend.ts'
import { drawLamp, lambert } from '#lab/pictures/lambert.ts'
import { atRest, moveFace } from '#lab/pictures/move-face.ts'
import { paintMesh } from '#lab/pictures/paint-mesh.ts'
import { photographed, type Recipe } from './photographed.ts'

export const warpedBentRecipe: Recipe = (portrait, random) => {
  const lamp = drawLamp(random)
  return (movement) => {
    const { points, fit, picture } = portrait
    if (movement === atRest) return picture
    const moved = moveFace(points, fit, movement)
    const onto = bend(picture, points, moved)
    paintMesh(onto, picture, points, moved, lambert(points, moved, lamp))
    return onto
  }
}

/** Like `warpedLit`, but hair, ears, neck and background bend along with the face. */
export const warpedBent = photographed(
  'warpedBent',
  'As warpedLit; hair, ears, neck and what is behind are bent after the face.',
  warpedBentRecipe,
)
