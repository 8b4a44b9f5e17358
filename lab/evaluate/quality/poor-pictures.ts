import { blurred, gammaCorrected, noisy } from '#lab/evaluate/running/alterations.ts'
import { type RgbaFrame, rgbaOf } from '../../../models/picture/frame.ts'
import { Picture } from '../../../models/picture/picture.ts'

/** A way to make a picture poor. */
type Harm = (frame: RgbaFrame) => RgbaFrame

/** The pictures of a set get these in turn; the first one changes nothing. */
const harms: readonly (readonly [name: string, harm: Harm])[] = [
  ['as it is', (frame) => frame],
  ['dark', (frame) => noisy(gammaCorrected(frame, 3), 6)],
  ['blurred', (frame) => blurred(frame, 2.5)],
  ['turned', (frame) => resampled(frame, { turn: Math.PI / 6, shrink: 1 })],
  ['small', (frame) => resampled(frame, { turn: 0, shrink: 5 })],
]

/** The names of the kinds of damage, in the order in which pictures get them. */
export const harmNames: readonly string[] = harms.map(([name]) => name)

/** The picture with the damage of its number. Pure. */
export function madePoor(frame: RgbaFrame, number: number): RgbaFrame {
  return harms[number % harms.length]![1](frame)
}

/**
 * The frame rotated about its centre by radians, and shrunk by a factor and enlarged again, like a small face in a
 * wide picture. Corners from outside are black.
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
