import { blurred, gammaCorrected, noisy } from '#lab/evaluate/running/alterations.ts'
import { type RgbaFrame, rgbaOf } from '../../../models/picture/frame.ts'
import { Picture } from '../../../models/picture/picture.ts'

/** A way to degrade a picture. */
type Harm = (frame: RgbaFrame) => RgbaFrame

/** Applied to a set's pictures in turn. The first one changes nothing. */
const harms: readonly (readonly [name: string, harm: Harm])[] = [
  ['as it is', (frame) => frame],
  ['dark', (frame) => noisy(gammaCorrected(frame, 3), 6)],
  ['blurred', (frame) => blurred(frame, 2.5)],
  ['turned', (frame) => resampled(frame, { turn: Math.PI / 6, shrink: 1 })],
  ['small', (frame) => resampled(frame, { turn: 0, shrink: 5 })],
]

/** The names of the kinds of damage, in the order in which they are applied. */
export const harmNames: readonly string[] = harms.map(([name]) => name)

/** Applies the damage with this number to a picture. A pure function. */
export function madePoor(frame: RgbaFrame, number: number): RgbaFrame {
  return harms[number % harms.length]![1](frame)
}

/**
 * Rotates the frame about its centre by an angle in radians, and shrinks it by a factor before enlarging it again, like a small face in a wide
 * picture. Corners outside the frame are black.
 */
function resampled(frame: RgbaFrame, { turn, shrink }: { turn: number; shrink: number }): RgbaFrame {
  const { width, height } = frame
  const small = warped(frame, Math.round(width / shrink), Math.round(height / shrink), turn)
  return shrink === 1 ? small : warped(small, width, height, 0)
}

function warped(frame: RgbaFrame, width: number, height: number, turn: number): RgbaFrame {
  const size = Math.max(width, height)
  const [across, down] = [frame.width / width, frame.height / height]
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const [a, b, c, d] = [cos * across, -sin * down, sin * across, cos * down]
  const tx = frame.width / 2 - (a * width + b * height) / 2
  const ty = frame.height / 2 - (c * width + d * height) / 2
  const picture = new Picture(frame)
  const { data } = picture.warp([a, b, tx, c, d, ty], { size, channels: 'RGB', scale: 1, offset: 0 })
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        rgba[4 * (y * width + x) + channel] = data[channel * size * size + y * size + x]!
      }
    }
  }
  return rgbaOf({ width, height, rgba: new Uint8Array(rgba.buffer) })
}
