import { drawLamp, lambert } from '#lab/pictures/lambert.ts'
import { photographed, type Recipe } from './photographed.ts'
import { warp } from './warped.ts'

export const warpedLitRecipe: Recipe = (portrait, random) => {
  const lamp = drawLamp(random)
  return (movement) => warp(portrait, movement, (moved) => lambert(portrait.points, moved, lamp))
}

/** Like `warped`, but each triangle's brightness follows its normal, with one lamp per session. */
export const warpedLit = photographed(
  'warpedLit',
  'As warped; the brightness of each triangle follows its normal under one lamp (Lambert).',
  warpedLitRecipe,
)
