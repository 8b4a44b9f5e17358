import { drawLamp, lambert } from '#lab/pictures/lambert.ts'
import { eyePoints, type Movement, moveFace } from '#lab/pictures/move-face.ts'
import { type Points, paintMesh } from '#lab/pictures/paint-mesh.ts'
import { between, deviate } from '#lab/pictures/sensor.ts'
import { shifted } from '#lab/pictures/shift.ts'
import type { Portrait } from '../people/portraits.ts'
import { photographed, type Recipe } from './photographed.ts'

/** A living head is never completely still. In degrees, and as a share of its size. */
const unrest = { yaw: 1.2, pitch: 0.8, size: 0.006 } as const
/** The average share of pictures with half a blink. */
const blinking = 0.06

export const warpedAllRecipe: Recipe = (portrait, random) => {
  const lamp = drawLamp(random)
  return (movement) => {
    const { points, fit, picture } = portrait
    const moved = moveFace(points, fit, restless(movement, random))
    const onto = shifted(picture, {
      turn: 0.15 * deviate(random),
      size: 1 + 0.002 * deviate(random),
      x: deviate(random),
      y: 0.7 * deviate(random),
    })
    paintMesh(onto, picture, glancing(portrait, random), moved, lambert(points, moved, lamp))
    return onto
  }
}

/**
 * Like `warpedLit`, plus everything that a few more lines of code can add: eyes that move and blink, a head that is never completely still, and a
 * background that moves with the hand.
 */
export const warpedAll = photographed(
  'warpedAll',
  'As warpedLit, with eyes that look about and blink, a head that is never quite still and a background that moves a little.',
  warpedAllRecipe,
)

function restless(movement: Movement, random: () => number): Movement {
  const blinks = random() < blinking
  return {
    yaw: movement.yaw + unrest.yaw * deviate(random),
    pitch: movement.pitch + unrest.pitch * deviate(random),
    smile: movement.smile,
    shut: blinks ? between(0.2, 0.8, random) : movement.shut,
    size: movement.size * (1 + unrest.size * deviate(random)),
  }
}

/** Moves the gaze by shifting the source of the eyes within the eyelids. */
function glancing({ points, fit }: Portrait, random: () => number): Points {
  const from = Float32Array.from(points)
  const [x, y] = [0.12 * fit.scale * deviate(random), 0.05 * fit.scale * deviate(random)]
  for (const i of eyePoints) {
    from[3 * i] = from[3 * i]! + x
    from[3 * i + 1] = from[3 * i + 1]! + y
  }
  return from
}
