import { drawLamp, lambert } from '../pictures/lambert.ts'
import { photographed } from './photographed.ts'
import { warp } from './warped.ts'

/** As `warped`; the light of each triangle changes with its normal, under one lamp a session. */
export const warpedLit = photographed(
  'warpedLit',
  'As warped; the brightness of each triangle follows its normal under one lamp (Lambert).',
  (portrait, random) => {
    const lamp = drawLamp(random)
    return (movement) => warp(portrait, movement, (moved) => lambert(portrait.points, moved, lamp))
  },
)
