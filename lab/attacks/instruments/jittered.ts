import { between } from '#lab/pictures/sensor.ts'
import { shifted } from '#lab/pictures/shift.ts'
import { photographed } from './photographed.ts'

/** A photograph that is moved slightly as a whole, as if held in a hand: rotated, brought closer and shifted. */
export const jittered = photographed(
  'jittered',
  'One photograph, moved a little as a whole from picture to picture.',
  ({ picture }, random) =>
    () =>
      shifted(picture, {
        turn: between(-3, 3, random),
        size: between(0.97, 1.03, random),
        x: between(-8, 8, random),
        y: between(-6, 6, random),
      }),
)
