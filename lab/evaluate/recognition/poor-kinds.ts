import sharp from 'sharp'
import {
  blurred,
  boxOf,
  compressed,
  eyes,
  type Head,
  mapped,
  mouth,
  noisy,
  painted,
  shrunk,
} from '#lab/poor-look/harms.ts'
import { type RgbaFrame, rgbaOf } from '../../../models/picture/frame.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

/** Degrades a picture to a certain degree. `seed` determines its noise. */
type MakePoor = (head: Head, seed: number) => RgbaFrame | Promise<RgbaFrame>

const grey = [60, 60, 65]

/** Damage applied to both pictures in a pair, by kind and degree, for 250-pixel pictures like those in LFW. The first kind changes nothing. */
export const poorKinds: Readonly<Record<string, MakePoor>> = {
  clean: ({ frame }) => frame,
  ...kindsOf('turned', [90, 135, 180], (degrees) => (head) => turned(head.frame, degrees)),
  ...kindsOf('blurred', [2, 4, 6], (sigma) => (head) => blurred(head.frame, sigma)),
  ...kindsOf('shrunk', [45, 35], (width) => (head) => shrunk(head.frame, width, 'cubic')),
  ...kindsOf('noise', [30, 60], (sigma) => (head, seed) => noisy(head.frame, sigma, randomNumbers(seed))),
  ...kindsOf('dark', [0.1, 0.04], (share) => (head) => mapped(head.frame, (value) => value * share)),
  ...kindsOf('bright', [2, 4], (times) => (head) => mapped(head.frame, (value) => value * times)),
  ...kindsOf('compressed', [5, 2], (quality) => (head) => compressed(head.frame, quality)),
  coveredEyes: ({ frame, mesh }) => painted(frame, boxOf(mesh, eyes, 0.15), grey),
  coveredMouth: ({ frame, mesh }) => painted(frame, boxOf(mesh, mouth, 0.35), grey),
  coveredHalf({ frame, mesh }) {
    const face = boxOf(mesh, undefined, 0.1)
    return painted(frame, { ...face, right: (face.left + face.right) / 2 }, grey)
  },
}

function kindsOf(
  name: string,
  degrees: readonly number[],
  make: (degree: number) => MakePoor,
): Record<string, MakePoor> {
  return Object.fromEntries(degrees.map((degree) => [`${name}${degree}`, make(degree)]))
}

/** Rotates about the centre. Everything outside the frame is black. */
async function turned({ width, height, rgba }: RgbaFrame, degrees: number): Promise<RgbaFrame> {
  const { data, info } = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .rotate(degrees, { background: '#000' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return rgbaOf({ width: info.width, height: info.height, rgba: new Uint8Array(data) })
}
